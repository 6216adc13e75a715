import type { StoredCarRace } from '#racing/race/carRace.ts'

/** False for a session without a car, a race, a driver change and fuel: its screens show only laps. */
export function hasStint({
  car,
  race,
  stints,
  fills,
}: Pick<StoredCarRace, 'car' | 'race' | 'stints' | 'fills'>): boolean {
  return car !== null || race !== null || stints.length > 1 || fills.length > 0
}
