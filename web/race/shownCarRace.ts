import type { StoredCarRace } from '#contract/carRaces.ts'
import type { CarRaceFrom } from '#racing/race/carRace.ts'

/** The race of one car, with its phones: laps and visits to the pits in one sequence, whichever phone was in the car. */
export type CarRace = CarRaceFrom<StoredCarRace>

/** Returns the session whose phone is in the car; null if none is. */
export function sessionInCar({ runs }: Pick<StoredCarRace, 'runs'>): string | null {
  const last = runs.at(-1)
  return last && last.until === null ? last.sessionId : null
}
