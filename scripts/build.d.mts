export function ensureBuilt(options?: {
  folder?: string
  suffix?: string
  flags?: string[]
}): Promise<void>
