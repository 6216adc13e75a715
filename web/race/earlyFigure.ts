import { earlyMs, type StopRule, type Visit } from '#racing/race/stopClock.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { downTo } from './stopFigure.ts'

/** How much too short a finished stop was: Left 0:10 early, 2:50 of 3:00. */
export interface EarlyFigure {
  readonly left: string
  readonly of: string
}

/** Returns how much too short a finished stop was; null if it was long enough. `isAbout`: no pit-out line is known. */
export function earlyFigure(
  visit: Visit,
  rule: StopRule | null,
  isAbout: boolean,
): EarlyFigure | null {
  const early = earlyMs(visit, rule)
  if (early === null || !rule) return null
  const { minimumMs } = rule
  const { time, missing } = shortStop(early, minimumMs)
  return {
    left: pitStopText.leftEarly(missing, isAbout),
    of: pitStopText.of(time, downTo(minimumMs)),
  }
}

/**
 * Formats a finished stop that was too short: its time in the whole seconds that had passed, as on the clock of the stop,
 * and what it lacks to its minimum. Every screen uses both, so that they add up to the minimum.
 */
export function shortStop(
  earlyMs: number,
  minimumMs: number,
): { readonly time: string; readonly missing: string } {
  // Calculated times may be a part of a millisecond longer.
  const missingMs = Math.ceil(Math.round(earlyMs) / 1000) * 1000
  return { time: downTo(minimumMs - missingMs), missing: downTo(missingMs) }
}
