import type { RaceOfSession } from '#contract/stints.ts'

/** False for a session without a car, a driver change and fuel: its screens look as before. */
export function hasStint({
  car,
  stints,
  fills,
}: Pick<RaceOfSession, 'car' | 'stints' | 'fills'>): boolean {
  return car !== null || stints.length > 1 || fills.length > 0
}
