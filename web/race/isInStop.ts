import type { CarRace } from './shownCarRace.ts'

/** Returns whether the team's screens show a pit stop: the car is in the pits, and its race is not over. */
export function isInStop(race: Pick<CarRace, 'visits' | 'race'> | undefined): boolean {
  return race?.visits.at(-1)?.endedAt === null && (race.race?.endedAt ?? null) === null
}
