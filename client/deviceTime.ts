import type { EpochMs } from '#contract/ids.ts'
import { isRecord } from './textStore.ts'

/** The time of an event on this device. It can be stored as JSON across reloads. */
export interface DeviceTime {
  /** By the server's clock; an estimate if `unsynced` is set. */
  readonly at: EpochMs
  /**
   * The device's own clocks at that moment, if the server's time was unknown. `ServerClock.dated` uses them
   * to correct `at`.
   */
  readonly unsynced?: Unsynced
}

interface Unsynced {
  /** The page whose `deviceMs` this is. */
  readonly page: string
  /** Number of times the page lost its synchronisation. */
  readonly period: number
  /** Monotonic time plus the detected sleeps. */
  readonly deviceMs: number
  /** The device's wall clock, which is all that remains after a reload. */
  readonly wallMs: number
}

/** Validates data read from storage. */
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
