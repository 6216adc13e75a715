import { hasFinished, type RacedCar } from '#racing/race/raceResult.ts'

/** Returns whether the team's screens show a pit stop: the car is in the pits, and has not finished its race. */
export function isInStop(race: RacedCar | undefined): boolean {
  return race?.visits.at(-1)?.endedAt === null && !hasFinished(race)
}
