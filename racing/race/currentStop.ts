import type { CarRace, Fill } from './carRace.ts'
import { hasFinished, type RacedCar, timesOfCar } from './raceResult.ts'
import { stopRule } from './rules.ts'
import { type StopClock, type StopRule, stopClock, type Visit } from './stopClock.ts'

/** Returns what was entered about fuel at a stop: in it or, without that, the first entry until the next one. */
export function fillsOfVisit(
  { fills, visits }: Pick<CarRace, 'fills' | 'visits'>,
  { startedAt, endedAt }: Visit,
): Fill[] {
  const nextAt =
    visits.find(each => each.startedAt > startedAt)?.startedAt ?? Number.POSITIVE_INFINITY
  const since = fills.filter(({ at, kind }) => kind !== 'start' && at >= startedAt && at < nextAt)
  const inStop = since.filter(({ at }) => at <= (endedAt ?? nextAt))
  return inStop.length > 0 ? inStop : since.slice(0, 1)
}

/**
 * Returns the shortest stop of a visit to the pits: one with fuel, until it was entered that there was none. Null without
 * a minimum, and for a visit after the car has finished its race.
 */
export function ruleOfVisit(
  carRace: RacedCar & Pick<CarRace, 'fills'>,
  visit: Visit | undefined,
): StopRule | null {
  const { race } = carRace
  if (!race) return null
  const { endedAt } = timesOfCar(race, carRace)
  if (endedAt !== null && (!visit || visit.startedAt > endedAt)) return null
  const entered = visit ? fillsOfVisit(carRace, visit) : []
  return stopRule(race.rules, entered.length === 0 || entered.some(({ litres }) => litres > 0))
}

/** Returns the clock of the current pit stop of a car; null if it is not in the pits, and once it has finished its race. */
export function currentStop(
  race: RacedCar & Pick<CarRace, 'fills'>,
  nowMs: number,
): StopClock | null {
  if (hasFinished(race)) return null
  return stopClock(race.visits, ruleOfVisit(race, race.visits.at(-1)), nowMs)
}
