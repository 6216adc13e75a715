export function unpinnedImages(): string[]
