import type { CarRace } from './carRace.ts'
import { fillsOfVisit } from './currentStop.ts'
import { type RacedCar, timesOfCar } from './raceResult.ts'
import { requiredStops } from './rules.ts'
import type { Visit } from './stopClock.ts'

/**
 * Returns whether a finished visit to the pits is no stop in a race whose rules demand stops, or a minimum: no position
 * shows that the car stood for some seconds, and neither fuel nor a driver change was entered for it.
 */
export function isNoStop(
  carRace: RacedCar & Pick<CarRace, 'fills' | 'stints'>,
  visit: Visit,
): boolean {
  const { race, stints } = carRace
  const { startedAt: from, endedAt: to, stoppedAt } = visit
  if (!race || to === null || stoppedAt !== null) return false
  const { rules, length } = race
  const required = requiredStops(rules, length?.in === 'time' ? length.ms : null)
  if (!rules.minStop && rules.technicalStopMs === null && required === 0) return false
  const { startedAt, endedAt } = timesOfCar(race, carRace)
  if (startedAt === null || from < startedAt || from >= (endedAt ?? to)) return false
  const isIn = ({ at }: { readonly at: number }) => at >= from && at <= to
  const changes = stints.slice(1).map(stint => ({ at: stint.from }))
  return fillsOfVisit(carRace, visit).length === 0 && !changes.some(isIn)
}
