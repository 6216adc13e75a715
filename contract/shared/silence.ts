import { hourMs } from './durations.ts'

// docs/GLOSSARY.md#silence lists what happens after each duration of silence.

/** After this long without contact from the driver's phone, any member may end its session. */
export const mayEndAfterSilenceMs = 5 * 60_000

/** The most fixes that a phone without a network queues, one a second: a race of 24 hours and the hours around it. */
export const maxQueuedFixes = 30 * 60 * 60

/**
 * A session without contact for this long is ended automatically, within an hour. Longer than a phone queues fixes,
 * because none that was taken after the end is stored.
 */
export const endsAfterSilenceMs = 36 * hourMs

interface Contacted {
  readonly startedAt: number
  readonly lastDriverContactAt: number | null
}

/** The time since the last contact, or since the start, in milliseconds. */
export function silenceMs({ startedAt, lastDriverContactAt }: Contacted, now: number): number {
  return Math.max(0, now - Math.max(startedAt, lastDriverContactAt ?? 0))
}
