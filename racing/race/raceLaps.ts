import { crossedLaps } from '../laps/drivenLap.ts'
import { memoized } from '../memoized.ts'
import type { CarRace } from './carRace.ts'
import { endsInRace, type HiddenLaps, hiddenLaps, stopsOf } from './hiddenLaps.ts'
import { isRaceLap } from './raceClock.ts'

/** What the laps of a race follow from. */
export type TimedCar = Pick<CarRace, 'race' | 'laps' | 'visits'>

/** Returns the laps of a car that gaps in reception hid, in order of time. */
export const hiddenLapsOf = memoized((car: TimedCar): HiddenLaps[] =>
  hiddenLaps(car.laps, stopsOf(car)),
)

/**
 * Returns how many laps of the race a car has completed: from the first crossing of the line after its start to the end
 * of the lap in which the race ends, with laps that gaps in reception hid if their number is certain. 0 without a race.
 */
export function raceLaps(car: TimedCar): number {
  const { race, laps } = car
  if (!race) return 0
  const [first] = laps
  // The part of a lap before the first crossing does not count.
  const seen = crossedLaps(laps).filter(
    lap =>
      (lap !== first || lap.kind !== 'out') &&
      isRaceLap(race, lap.startedAt, lap.startedAt + lap.timeMs),
  )
  return seen.length + endsInRace(race, hiddenLapsOf(car), true).length
}

/** Returns the estimated laps of the race that gaps in reception hid, and that `raceLaps` does not count. */
export function uncertainRaceLaps(car: TimedCar): number {
  return car.race ? endsInRace(car.race, hiddenLapsOf(car), false).length : 0
}
