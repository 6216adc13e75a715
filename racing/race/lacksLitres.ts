import type { CarRace, Fill } from './carRace.ts'
import { fillsOfVisit } from './currentStop.ts'
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

type LitresCar = FuelledCar & Pick<CarRace, 'finishShownAt'>

/**
 * Returns the stops that the car has left without an entry of litres since the tank was full, in order of time. A stop
 * before the start of the race, or after the car has finished it, does not count.
 */
export function stopsWithoutLitres(carRace: LitresCar): Visit[] {
  const { race, visits, fills } = carRace
  const { startedAt, endedAt } = race ? timesOfCar(race, carRace) : { startedAt: 0, endedAt: null }
  const until = endedAt ?? Number.POSITIVE_INFINITY
  const fullAt = fills.findLast(({ kind }) => kind === 'full')?.at ?? Number.NEGATIVE_INFINITY
  return visits.filter(
    visit =>
      visit.endedAt !== null &&
      visit.stoppedAt !== null &&
      visit.startedAt > fullAt &&
      visit.startedAt >= (startedAt ?? until) &&
      visit.startedAt < until &&
      fillsOfVisit(carRace, visit).length === 0,
  )
}

/**
 * Returns whether the level is not known because nobody has entered the litres of a stop, so that no figure may follow
 * from it.
 */
export function lacksLitres(carRace: LitresCar): boolean {
  return stopsWithoutLitres(carRace).length > 0 && fuelOf(carRace) !== null
}
