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
  return {
    left: pitStopText.leftEarly(downTo(early), isAbout),
    of: pitStopText.of(downTo(minimumMs - early), downTo(minimumMs)),
  }
}
