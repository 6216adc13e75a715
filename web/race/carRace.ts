import type { StoredCarRace } from '#contract/carRace.ts'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { type CarLap, carRaceOf } from '#racing/race/carRace.ts'

/** The race of one car, with its phones: laps and visits to the pits in one sequence, whichever phone was in the car. */
export interface CarRace extends StoredCarRace {
  /** In order of time. */
  readonly laps: readonly CarLap[]
  /** In order of time; the last one has no end while the car is in the pits. */
  readonly visits: readonly PitVisit[]
}

/** Newer laps of one phone than those that are stored with the race, and if they are known its visits to the pits. */
export interface LivePhone {
  readonly sessionId: string
  readonly laps: readonly Lap[]
  readonly visits?: readonly PitVisit[]
}

/** The last race of each stored one: its components share it, and what is computed from it. */
const recent = new WeakMap<StoredCarRace, { laps: unknown; visits: unknown; race: CarRace }>()

/** Returns the race of a car with newer laps of one phone, if there are any. The same object for the same laps. */
export function liveCarRace(stored: StoredCarRace, live?: LivePhone): CarRace {
  const { laps, visits } = live ?? {}
  const known = recent.get(stored)
  if (known && known.laps === laps && known.visits === visits) return known.race
  const race = { ...stored, ...carRaceOf(stored, live) }
  recent.set(stored, { laps, visits, race })
  return race
}

/** Returns the session whose phone is in the car; null if none is. */
export function sessionInCar({ runs }: Pick<StoredCarRace, 'runs'>): string | null {
  const last = runs.at(-1)
  return last && last.until === null ? last.sessionId : null
}
