import { greatestOf } from '#contract/shared/extremes.ts'
import { crossedLaps, isOverGap } from '../laps/drivenLap.ts'
import { memoized } from '../memoized.ts'
import type { CarLap } from './carLaps.ts'
import type { CarRace } from './carRace.ts'
import { type HiddenLaps, hiddenLaps, stopsOf } from './hiddenLaps.ts'

/** The parts of a car's race from which its laps follow. */
export type TimedCar = Pick<CarRace, 'race' | 'plan' | 'laps' | 'visits'>

/** Returns the laps of a car that gaps in reception hid, in order of time. */
export const hiddenLapsOf = memoized((car: TimedCar): HiddenLaps[] =>
  hiddenLaps(car.laps, stopsOf(car), car.plan?.lapMs),
)

/**
 * Returns how many laps of the race a car has completed: from the first crossing of the line after its start to the end
 * of the lap in which the race ends, with laps that gaps in reception hid if their number is certain. 0 without a race,
 * and before its start.
 */
export function raceLaps({ race, laps }: Pick<CarRace, 'race' | 'laps'>): number {
  if (!race || race.startedAt === null) return 0
  return completedLaps(laps)
}

/**
 * Returns how many laps a car had completed at a time. A lap counts from `timeOf` on, which is its end unless given. Laps
 * that a gap in reception hid in one lap are spread evenly over it.
 */
export function completedLaps<L extends Omit<CarLap, 'sessionId'>>(
  laps: readonly L[],
  atMs = Number.POSITIVE_INFINITY,
  timeOf: (lap: L) => number = ({ startedAt, timeMs }) => startedAt + timeMs,
): number {
  const crossed = new Set(crossedLaps(laps))
  const begun = laps.filter(({ startedAt }) => startedAt <= atMs)
  const isOver = (lap: L) => crossed.has(lap) && timeOf(lap) <= atMs
  const completed = (lap: L, index: number) => {
    if (isOver(lap)) return lap.number
    if (!isOverGap(lap)) return lap.number - 1
    const before = begun[index - 1]?.number ?? 0
    return before + Math.floor(((lap.number - before) * (atMs - lap.startedAt)) / lap.timeMs)
  }
  return Math.max(0, greatestOf(begun.map(completed)))
}
