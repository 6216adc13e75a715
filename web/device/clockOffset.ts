import { textStore } from './textStore.ts'

const storageKey = 'pitboard.clock'

/**
 * How far the server's clock was ahead of the time set here, in milliseconds, when it was last
 * known; 0 if it never was. After a reload in a dead zone there is no server to ask.
 */
export function keptClockOffsetMs(): number {
  const kept = Number(textStore.read(storageKey))
  return Number.isFinite(kept) ? kept : 0
}

export function keepClockOffset(offsetMs: number) {
  textStore.write(storageKey, String(Math.round(offsetMs)))
}
