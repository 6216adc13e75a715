import type { DrivenLap } from '../laps/drivenLap.ts'
import type { CarRace } from './carRace.ts'
import { countedMs, type RaceTimes } from './raceClock.ts'
import { type RacedCar, timesOfCar } from './raceResult.ts'
import { countedStints, type DrivenStint } from './stintClock.ts'

/** A stint of a car, as it counts. */
export interface CarStint extends DrivenStint {
  readonly id: string
  /** The session on whose page it was entered, or whose phone it began with. */
  readonly sessionId: string
  /** True if a lap of it was yellow. */
  readonly hadYellow: boolean
}

/** Returns the stints of a car as they count, in order of time: without the time in the pits. */
export function stintsOf(
  { stints, visits, laps, race }: Pick<CarRace, 'stints' | 'visits' | 'laps' | 'race'>,
  nowMs: number,
): CarStint[] {
  return countedStints(stints, visits, nowMs, race?.startedAt).map(stint => ({
    ...stint,
    hadYellow: hadYellow(laps, stint, nowMs),
  }))
}

/**
 * Returns the stints of a race that is timed by `times`: driven between its start and its end. The plan numbers them from
 * 1, without those before the start.
 */
export function racedStints(
  carRace: Pick<CarRace, 'stints' | 'visits' | 'laps' | 'race'>,
  { startedAt, endedAt }: Pick<RaceTimes, 'startedAt' | 'endedAt'>,
  nowMs: number,
): CarStint[] {
  return stintsOf(carRace, nowMs).filter(
    ({ from, to }) =>
      startedAt !== null && (to ?? nowMs) > startedAt && (endedAt === null || from < endedAt),
  )
}

/**
 * Returns the number that people see for each stint of a car, by its id. Once the race has started, only stints in the
 * race are numbered, as in the plan; before that, and without a race, all are.
 */
export function stintNumbers(
  carRace: RacedCar & Pick<CarRace, 'stints'>,
  nowMs: number,
): ReadonlyMap<string, number> {
  const { race, stints } = carRace
  const isStarted = race !== null && race.startedAt !== null
  const counted = isStarted ? racedStints(carRace, timesOfCar(race, carRace), nowMs) : stints
  return new Map(counted.map(({ id }, index) => [id, index + 1]))
}

/**
 * Returns how long each stint of a car counts, by its id, in milliseconds of the race: without formation lap and stop, as
 * on the wall and for the rules. Without a race it is the time in the session. It lacks a stint that does not count.
 */
export function stintTimes(
  carRace: RacedCar & Pick<CarRace, 'stints'>,
  nowMs: number,
): ReadonlyMap<string, number> {
  const { race, stints, visits } = carRace
  const times = race && timesOfCar(race, carRace)
  return new Map(
    countedStints(stints, visits, nowMs, race?.startedAt).map(({ id, from, to }) => [
      id,
      countedMs(times, from, Math.min(to ?? nowMs, nowMs)),
    ]),
  )
}

function hadYellow(
  laps: readonly DrivenLap[],
  { from, to }: Pick<DrivenStint, 'from' | 'to'>,
  nowMs: number,
): boolean {
  return laps.some(
    ({ yellow, startedAt, timeMs }) =>
      yellow && startedAt < (to ?? nowMs) && startedAt + timeMs > from,
  )
}
