import type { CarRace } from './shownCarRace.ts'

/** Returns whether the fuel entry follows a driver change: a car stands in the pits and has no fill of this stop. */
export function refuelsNext({
  car,
  visits,
  fills,
}: Pick<CarRace, 'car' | 'visits' | 'fills'>): boolean {
  const visit = visits.at(-1)
  if (!car || !visit || visit.endedAt !== null) return false
  return !fills.some(({ at, kind }) => kind !== 'start' && at >= visit.startedAt)
}
