import { textStore } from './textStore.ts'

const storageKey = 'pitboard.clock'

/**
 * Last known offset of the server's clock from this device's clock, in milliseconds; 0 if it was never
 * known. Used after a reload without a network.
 */
export function storedClockOffsetMs(): number {
  const stored = Number(textStore.read(storageKey))
  return Number.isFinite(stored) ? stored : 0
}

export function storeClockOffset(offsetMs: number) {
  textStore.write(storageKey, String(Math.round(offsetMs)))
}
