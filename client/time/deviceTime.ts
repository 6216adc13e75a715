import type { EpochMs } from '#contract/ids.ts'
import { isRecord } from '../textStore.ts'

/** When something happened on this device. It survives a reload as plain JSON. */
export interface DeviceTime {
  /** By the server's clock; a guess where `unsynced` is set. */
  readonly at: EpochMs
  /** The device's own clocks at that moment, if the server's was not known. `ServerClock.dated` corrects `at`. */
  readonly unsynced?: Unsynced
}

interface Unsynced {
  /** The page whose `deviceMs` this is. */
  readonly page: string
  /** Counts how often the page lost its synchronisation. */
  readonly period: number
  /** Monotonic, with noticed sleeps added. */
  readonly deviceMs: number
  /** The time set on the device: all that is left to go by after a reload. */
  readonly wallMs: number
}

/** For what was read from storage: anything may be there. */
export function isDeviceTime(value: Record<string, unknown>): boolean {
  const { at, unsynced } = value
  if (!Number.isFinite(at)) return false
  if (unsynced === undefined) return true
  return (
    isRecord(unsynced) &&
    typeof unsynced.page === 'string' &&
    [unsynced.period, unsynced.deviceMs, unsynced.wallMs].every(Number.isFinite)
  )
}
