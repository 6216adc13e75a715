export function statements(): { heading?: string; id?: string; statement?: string }[]
export function departures(): { id: string; departure: string }[]
export function citations(): { id: string; file: string; shows: string }[]
export function sourceFiles(): string[]
export function textOf(file: string): string
