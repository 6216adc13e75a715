import { leastOf } from '#contract/shared/extremes.ts'
import { crossedLaps } from '../laps/drivenLap.ts'
import type { CarRace, RaceEntry } from './carRace.ts'
import { hiddenRaceLaps } from './hiddenLaps.ts'
import { isRaceLap, type RaceTimes, raceClock, raceTimes, type StoredRace } from './raceClock.ts'
import { completedLaps, hiddenLapsOf, raceLaps, type TimedCar } from './raceLaps.ts'
import { visitAt } from './stopClock.ts'

/** One of the team's cars in the result of a race. */
export interface ResultRow {
  readonly id: string
  readonly laps: number
  /**
   * The distance to the team's first car in whole laps, and in time to the first car with as many laps. Null for the
   * team's first car, and for one without a lap.
   */
  readonly behind: { readonly laps: number; readonly timeMs: number } | null
}

/** The parts of a car's race from which its result follows. */
export type RacedCar = TimedCar & Pick<CarRace, 'finishShownAt'>

/**
 * Returns the cars of a team in the order in which they finished a race: more laps first, then the earlier last crossing.
 * In a race by laps the first car that has driven them ends it: the others finish their lap. It needs no timing of the
 * organiser, so other teams' cars are not included.
 */
export function raceResult(
  cars: readonly { readonly id: string; readonly carRace: RacedCar }[],
): ResultRow[] {
  const order = finishesOf(cars).toSorted((a, b) => b.laps - a.laps || a.finishedAt - b.finishedAt)
  const [first] = order
  return order.map(({ id, laps, finishedAt }) => {
    if (!first || id === first.id || laps === 0) return { id, laps, behind: null }
    const onLap = order.find(car => car.laps === laps) ?? first
    const timeMs = finishedAt - onLap.finishedAt
    return { id, laps, behind: { laps: first.laps - laps, timeMs } }
  })
}

/** Returns the laps of each car in the result, and when it completed the last one; infinity without a lap. */
export function finishesOf(cars: readonly { readonly id: string; readonly carRace: RacedCar }[]) {
  const flagAt = leastOf(cars.map(({ carRace }) => drivenAllAt(carRace)))
  return cars.map(({ id, carRace }) => ({ id, ...finishOf(carRace, flagAt) }))
}

/** Returns the completed laps of the race, with their ends, also of those that gaps in reception hid. */
function completed(carRace: RacedCar) {
  const { race, laps, finishShownAt } = carRace
  const hidden = race ? hiddenRaceLaps(hiddenLapsOf(carRace), { ...race, finishShownAt }) : []
  const seen = crossedLaps(laps)
    .filter(({ number }) => number > 0)
    .map(({ startedAt, timeMs }) => startedAt + timeMs)
  // The last lap of the race may have ended in a gap.
  return [...seen, ...hidden]
    .toSorted((a, b) => a - b)
    .slice(0, completedLaps(laps))
    .map((endedAt, index) => ({ number: index + 1, endedAt }))
}

/** Returns when a car had driven all laps of a race by laps; else infinity. */
function drivenAllAt(carRace: RacedCar): number {
  const { length } = carRace.race ?? {}
  const last =
    length?.in === 'laps' && completed(carRace).find(({ number }) => number >= length.laps)
  return last ? last.endedAt : Number.POSITIVE_INFINITY
}

/**
 * Returns when a car finished its race: at the end of its last lap, which may be long before "Race over". Null if neither
 * the time nor the laps of the race were over, and no finish was shown.
 */
export function finishedAt(carRace: RacedCar): number | null {
  const { race, finishShownAt } = carRace
  const last = completed(carRace).at(-1)
  if (!race || race.startedAt === null || !last) return null
  const allAt = drivenAllAt(carRace)
  if (Number.isFinite(allAt)) return allAt
  const untilFinish = { ...race, finishShownAt, endedAt: null }
  const goesOn = isRaceLap(untilFinish, last.endedAt, Number.POSITIVE_INFINITY)
  return goesOn ? null : last.endedAt
}

/** Returns whether a car has finished its race: its laps and its stints count no further. */
export function hasFinished(carRace: RacedCar): boolean {
  return carRace.race !== null && timesOfCar(carRace.race, carRace).endedAt !== null
}

/**
 * Returns the cars that have not finished their race. None if that is not known: without a length, and while no car of the
 * team has driven all laps of a race by laps.
 */
export function unfinished<Car extends RacedCar>(cars: readonly Car[]): Car[] {
  const flagAt = leastOf(cars.map(drivenAllAt))
  return cars.filter(carRace => {
    const length = carRace.race?.length ?? null
    if (length === null || (length.in === 'laps' && !Number.isFinite(flagAt))) return false
    const crossedFlag = completed(carRace).some(({ endedAt }) => endedAt >= flagAt)
    return finishedAt(carRace) === null && !crossedFlag
  })
}

/** Returns whether a running race can be ended: its time is up, or all its cars have finished. */
export function isDue(race: StoredRace, cars: readonly RacedCar[], nowMs: number): boolean {
  const { state, leftMs } = raceClock(raceTimes(race), nowMs)
  const isRunning = state === 'running' || state === 'paused'
  return isRunning && (leftMs === 0 || (cars.length > 0 && cars.every(hasFinished)))
}

/**
 * Returns the number of the lap that a car is on, with those into and out of the pits; once it has finished, its laps in
 * the result. Null before the first lap.
 */
export function currentLap(carRace: RacedCar): number | null {
  const { laps } = carRace
  if (laps.length === 0) return null
  return hasFinished(carRace) ? raceLaps(carRace) : completedLaps(laps) + 1
}

/**
 * Returns the times of a race, which ends for a car when it finishes; for one that "Race over" finds in the pits without a
 * finish, when it came in.
 */
export function timesOfCar(race: RaceEntry, carRace: RacedCar): RaceTimes {
  const finish = finishedAt(carRace)
  const { endedAt } = race
  if (finish !== null || endedAt === null) return { ...raceTimes(race), endedAt: finish ?? endedAt }
  const cameInAt = visitAt(carRace.visits, endedAt, endedAt)?.startedAt ?? endedAt
  const hasDriven = race.startedAt !== null && cameInAt > race.startedAt
  return { ...raceTimes(race), endedAt: hasDriven ? cameInAt : endedAt }
}

/** Returns the laps of a car, and when it completed the last one: the first crossing after the flag, if it had one. */
function finishOf(carRace: RacedCar, flagAt: number): { laps: number; finishedAt: number } {
  const all = completed(carRace)
  const last = all.find(({ endedAt }) => endedAt >= flagAt)
  if (last) return { laps: last.number, finishedAt: last.endedAt }
  return { laps: raceLaps(carRace), finishedAt: all.at(-1)?.endedAt ?? Number.POSITIVE_INFINITY }
}
