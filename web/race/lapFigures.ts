import type { Lap } from '#contract/laps.ts'
import { crossedLaps, type DrivenLap, isOverGap } from '#racing/laps/drivenLap.ts'
import { comparedTimes, isCompared, median } from '#racing/race/pace.ts'
import { minutesAndSeconds } from '#web/ui/ages.ts'

/** The parts of a lap that decide whether it is compared, of one phone or of a car. */
export type TimedLap = Pick<
  Lap,
  'number' | 'startedAt' | 'timeMs' | 'kind' | 'endsAtLine' | 'isSeen' | 'yellow'
>

/** Fewest laps with an average. */
const leastAveraged = 3

/** The median time of the compared laps that count, which a slow lap does not change; null with fewer than three. */
export function averageMs(laps: readonly TimedLap[]): number | null {
  const times = comparedTimes(numbered(laps))
  return times.length < leastAveraged ? null : median(times)
}

/** The average of the last ten compared laps that count. */
export function recentAverageMs(laps: readonly TimedLap[]): number | null {
  return averageMs(numbered(laps).filter(isCompared).slice(-10))
}

/** Returns the laps that count for the race, or without one for the session: not those after the flag. */
export function numbered<L extends { readonly number: number }>(laps: readonly L[]): L[] {
  return laps.filter(({ number }) => number > 0)
}

/** Returns whether a car drove a lap after it had finished its race, such as the one into the pits. */
export function isAfterFlag(
  lap: TimedLap,
  { race, laps }: { race: { readonly startedAt: number | null } | null; laps: readonly TimedLap[] },
): boolean {
  if (lap.number > 0 || race === null || race.startedAt === null) return false
  return numbered(laps).some(({ startedAt }) => startedAt < lap.startedAt)
}

/** The fastest compared lap that counts, the first of equals. */
export function bestLap<L extends TimedLap>(laps: readonly L[]): L | null {
  return fastest(numbered(laps).filter(isCompared))
}

/** The fastest compared lap; without one, the fastest whole lap, which was yellow or led into the pits. */
export function bestWholeLap<L extends TimedLap>(laps: readonly L[]): L | null {
  const whole = numbered(crossedLaps(laps)).filter(({ kind, isSeen }) => kind !== 'out' && isSeen)
  return bestLap(laps) ?? fastest(whole)
}

/** Returns the last lap that counts and ended at the line, also one into or out of the pits; null before the first. */
export function lastLap<L extends DrivenLap & { readonly number: number }>(
  laps: readonly L[],
): L | null {
  return numbered(crossedLaps(laps)).at(-1) ?? null
}

function fastest<L extends TimedLap>(laps: readonly L[]): L | null {
  return laps.reduce<L | null>(
    (best, lap) => (best && best.timeMs <= lap.timeMs ? best : lap),
    null,
  )
}

/** The median inaccuracy of the compared laps: half the interval around a time that contains the true one in 95 %. */
export function usualPlusMinusMs(
  laps: readonly (TimedLap & { readonly plusMinusMs?: number | undefined })[],
): number | null {
  const sorted = laps
    .filter(isCompared)
    .flatMap(({ plusMinusMs }) => plusMinusMs ?? [])
    .sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? null
}

/** Returns when the current lap began; null if the last known lap did not end at the line. */
export function currentLapSince(laps: readonly TimedLap[]): number | null {
  const last = laps.at(-1)
  return last && isTimedToLine(last) ? endOf(last) : null
}

export function endOf({ startedAt, timeMs }: Pick<TimedLap, 'startedAt' | 'timeMs'>): number {
  return startedAt + timeMs
}

/** Returns whether a lap is timed up to the line; an in lap ends in the pits, even where the line crosses them. */
export function isTimedToLine(lap: Pick<TimedLap, 'kind' | 'endsAtLine'>): boolean {
  return isOverGap(lap) || (lap.kind !== 'incomplete' && lap.kind !== 'in')
}

/** Minutes, seconds and tenths: 1:52.4. A poor time has no tenths, and a tilde: ~1:52. */
export function lapTime(timeMs: number, isPoor = false): string {
  if (isPoor) return `~${minutesAndSeconds(Math.round(timeMs / 1000))}`
  const tenths = Math.round(timeMs / 100)
  return `${minutesAndSeconds(Math.floor(tenths / 10))}.${tenths % 10}`
}

/** Reads a lap time as people enter it: 1:52.4, 1:52 or 112.4. Null if it is not a lap time. */
export function lapTimeFrom(text: string): number | null {
  const [, minutes = '0', seconds = ''] =
    /^\s*(?:(\d{1,2}):)?(\d{1,3}(?:[.,]\d{1,3})?)\s*$/.exec(text) ?? []
  const s = Number.parseFloat(seconds.replace(',', '.'))
  if (Number.isNaN(s) || (s >= 60 && Number(minutes) > 0)) return null
  return Math.round((Number(minutes) * 60 + s) * 1000)
}

/** The difference of two shown times in tenths of a second: negative if the lap is faster. */
export function deltaTenths(timeMs: number, averageTimeMs: number): number {
  return Math.round(timeMs / 100) - Math.round(averageTimeMs / 100)
}

/** With a sign: −0.3 or +0.4, and 0.0. */
export function deltaText(tenths: number, decimals: 0 | 1 = 1): string {
  const sign = tenths < 0 ? '\u2212' : tenths > 0 ? '+' : ''
  return `${sign}${(Math.abs(tenths) / 10).toFixed(decimals)}`
}
