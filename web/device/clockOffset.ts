const storageKey = 'pitboard.clock'

/**
 * How far the server's clock was ahead of the time set here, in milliseconds, when it was last
 * known; 0 if it never was. After a reload in a dead zone there is nobody to ask.
 */
export function keptClockOffsetMs(): number {
  try {
    const kept = Number(localStorage.getItem(storageKey))
    return Number.isFinite(kept) ? kept : 0
  } catch {
    return 0
  }
}

export function keepClockOffset(offsetMs: number) {
  try {
    localStorage.setItem(storageKey, String(Math.round(offsetMs)))
  } catch {
    // A browser may forbid or have filled its storage.
  }
}
