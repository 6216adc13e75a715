import { hasFinished } from '#racing/race/raceResult.ts'
import type { CarRace } from './shownCarRace.ts'

/** Returns whether the team's screens show a pit stop: the car is in the pits, and has not finished its race. */
export function isInStop(
  race: Pick<CarRace, 'visits' | 'race' | 'laps' | 'finishShownAt'> | undefined,
): boolean {
  return race?.visits.at(-1)?.endedAt === null && !hasFinished(race)
}
