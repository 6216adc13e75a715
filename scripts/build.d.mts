export function ensureBuilt(options?: { folder?: string; suffix?: string }): Promise<void>
