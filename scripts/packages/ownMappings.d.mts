export function ownMappings<Map extends { sources: string[]; mappings: string }>(map: Map): Map
