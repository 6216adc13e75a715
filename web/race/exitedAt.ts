import type { CarRace } from './shownCarRace.ts'

/** Returns when the car left the pits the last time; null before, and while its race is not known. */
export function exitedAt(race: Pick<CarRace, 'visits'> | undefined): number | null {
  return race?.visits.findLast(({ endedAt }) => endedAt !== null)?.endedAt ?? null
}
