import type { Session } from '#contract/sessions.ts'
import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { endOf, type TimedLap } from './lapFigures.ts'

/**
 * Returns whether laps, gaps, fuel and laps to pit are those of before the data link of a car was off: while it is off, and
 * then until the car crosses the line, which shows how many laps it has driven.
 */
export function isOutdated(
  { dataLink, dataLinkOn, lapTiming }: Pick<Session, 'dataLink' | 'dataLinkOn' | 'lapTiming'>,
  laps: readonly TimedLap[] = [],
): boolean {
  if (!dataLink) return true
  const last = crossedLaps(laps).at(-1)
  return lapTiming && dataLinkOn !== undefined && last !== undefined && endOf(last) < dataLinkOn.at
}
