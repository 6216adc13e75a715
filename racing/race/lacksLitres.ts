import type { CarRace, Fill } from './carRace.ts'
import { type FuelledCar, fuelOf } from './fuel.ts'
import { timesOfCar } from './raceResult.ts'
import type { Visit } from './stopClock.ts'

/** Returns the fill of the current stop, or of the last one; null without an entry. */
export function fillOfStop<T extends Pick<Fill, 'at' | 'kind'>>(
  visits: readonly Visit[],
  fills: readonly T[],
): T | null {
  const visit = visits.at(-1)
  if (!visit) return null
  return fills.findLast(({ at, kind }) => kind !== 'start' && at >= visit.startedAt) ?? null
}

/**
 * Returns whether the level is not known because nobody has entered the litres of the last stop, so that no figure may
 * follow from it. A stop before the start of the race, or after the car has finished it, does not count.
 */
export function lacksLitres(carRace: FuelledCar & Pick<CarRace, 'finishShownAt'>): boolean {
  const { race, visits, fills } = carRace
  const visit = visits.at(-1)
  if (!visit || visit.endedAt === null || visit.stoppedAt === null) return false
  const { startedAt, endedAt } = race ? timesOfCar(race, carRace) : { startedAt: 0, endedAt: null }
  const until = endedAt ?? Number.POSITIVE_INFINITY
  if (visit.startedAt < (startedAt ?? until) || visit.startedAt >= until) return false
  return fillOfStop(visits, fills) === null && fuelOf(carRace) !== null
}
