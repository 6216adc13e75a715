import type { DrivenLap } from '../laps/drivenLap.ts'
import type { PlanEntry, RaceEntry } from './carPlan.ts'
import type { Fill, Tank } from './fuel.ts'
import type { Run } from './runs.ts'
import type { Visit } from './stopClock.ts'

/** A lap as a phone saw it, with its number in the session of the phone. */
export interface PhoneLap extends DrivenLap {
  readonly number: number
}

/** A phone of a car: `CarPhone` of the contract. */
export interface CarPhone {
  readonly sessionId: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** When it drove out of the pits, in order of time. */
  readonly leftPitsAt: readonly number[]
  readonly laps: readonly PhoneLap[]
  readonly visits: readonly Visit[]
}

/** A driver change of a car as it was entered: `Stint` of the contract. */
export interface EnteredStint {
  readonly id: string
  readonly sessionId: string
  /** Null: the person who started that session, who is not in the roster. */
  readonly driverId: string | null
  readonly from: number
  readonly to: number | null
}

/** What is stored about the race of a car: `StoredCarRace` of the contract. */
export interface StoredCarRace {
  readonly car: Tank | null
  readonly race: RaceEntry | null
  readonly plan: PlanEntry | null
  readonly drivers: readonly { readonly id: string; readonly archived: boolean }[]
  readonly phones: readonly CarPhone[]
  readonly runs: readonly Run[]
  readonly stints: readonly EnteredStint[]
  readonly otherCars: readonly {
    readonly driverId: string
    readonly from: number
    readonly to: number | null
  }[]
  readonly fills: readonly Fill[]
}

/** A lap of the car, whichever phone saw it. */
export interface CarLap extends DrivenLap {
  /** Session of the phone that saw its end. */
  readonly sessionId: string
  /** Its number in the race, from 1; 0 before the start and for the part before the first crossing. Without a race, that of the session. */
  readonly number: number
}

/**
 * The race of one car, whichever phone was in it: everything that is shown, counted or exported about it follows from
 * this value, the same on the server, on every screen and offline. All lists are in order of time.
 */
export interface CarRace extends Omit<StoredCarRace, 'phones'> {
  /** Laps of all runs in one sequence. One that spans two phones is one lap. */
  readonly laps: readonly CarLap[]
  /** Visits to the pits, whichever phone saw them. */
  readonly visits: readonly Visit[]
}
