import type { FillKind } from '#contract/shared/fillRules.ts'
import type { RaceRules } from '#contract/shared/raceRules.ts'
import { type CarLap, carLaps, type PhoneLap } from './carLaps.ts'
import { carVisits } from './carVisits.ts'
import type { StoredRace } from './raceClock.ts'
import type { Run } from './runs.ts'
import type { Visit } from './stopClock.ts'

/** An entry about fuel. */
export interface Fill {
  readonly at: number
  readonly litres: number
  readonly kind: FillKind
}

/** Litres of a car; null where nobody has entered them. */
export interface Tank {
  readonly tankL: number | null
  readonly reserveL: number | null
  /** Expected consumption of a green lap. */
  readonly burnL: number | null
}

/** A race as it is stored. */
export interface RaceEntry extends StoredRace {
  readonly rules: RaceRules
}

/** Decisions about the stints of one car: `CarPlan` in `contract/races.ts`. */
export interface PlanEntry {
  readonly driverIds: readonly string[]
  readonly stopMs: number | null
  readonly lapMs: number | null
  readonly stints: readonly {
    readonly number: number
    readonly driverId: string | null
    readonly lengthMs: number | null
  }[]
}

/** A phone of a car: `CarPhone` of the contract. */
export interface CarPhone {
  readonly sessionId: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** Time of its newest position that was timed; null without one. */
  readonly lastFixAt: number | null
  /** When it drove out of the pits, in order of time. */
  readonly leftPitsAt: readonly number[]
  readonly laps: readonly PhoneLap[]
  readonly visits: readonly Visit[]
}

/** A stint of a car as it was entered: `Stint` of the contract. */
export interface EnteredStint {
  readonly id: string
  readonly sessionId: string
  /** Null: the person who started that session, who is not in the roster. */
  readonly driverId: string | null
  readonly from: number
  readonly to: number | null
}

/** The stored entries about the race of a car: `StoredCarRace` of the contract. */
export interface StoredCarRace {
  readonly car: Tank | null
  readonly race: RaceEntry | null
  /** When the official finish was shown. */
  readonly finishShownAt?: number | undefined
  /** When an official flag or a message made laps yellow. */
  readonly yellowTimes?:
    | readonly { readonly from: number; readonly to: number | null }[]
    | undefined
  readonly plan: PlanEntry | null
  readonly drivers: readonly { readonly id: string; readonly archived: boolean }[]
  readonly phones: readonly CarPhone[]
  readonly runs: readonly Run[]
  readonly stints: readonly EnteredStint[]
  /** When members entered that the driver stayed in the car at a stop. */
  readonly sameDriverAt?: readonly number[] | undefined
  readonly otherCars: readonly {
    readonly driverId: string
    readonly from: number
    readonly to: number | null
  }[]
  readonly fills: readonly Fill[]
}

/**
 * The race of one car, whichever phone was in it: everything that is shown, counted or exported about it follows from
 * this value, the same on the server, on every screen and offline. All lists are in order of time.
 */
export interface CarRace extends StoredCarRace {
  /** Laps of all runs in one sequence. One that spans two phones is one lap. */
  readonly laps: readonly CarLap[]
  /** Visits to the pits, whichever phone saw them. */
  readonly visits: readonly Visit[]
}

/** The race of a car with all that was stored about it. */
export type CarRaceFrom<Stored extends StoredCarRace> = Stored & Pick<CarRace, 'laps' | 'visits'>

/** Live state of a phone that is not stored yet, such as laps that were published since. */
export interface LivePhone {
  readonly sessionId: string
  readonly laps: readonly PhoneLap[]
  /** Absent: those that are stored. */
  readonly visits?: readonly Visit[] | undefined
}

/** The last value of each stored race: screens ask every second. */
const recent = new WeakMap<StoredCarRace, { laps: unknown; visits: unknown; carRace: CarRace }>()

/**
 * Returns the race of a car from what is stored about it. `live` replaces the laps and visits of one phone. The same
 * object as for the last call with the same `stored` and the same lists.
 */
export function carRaceOf<Stored extends StoredCarRace>(
  stored: Stored,
  live?: LivePhone,
): CarRaceFrom<Stored> {
  const { laps, visits } = live ?? {}
  const known = recent.get(stored)
  if (known && known.laps === laps && known.visits === visits)
    return known.carRace as CarRaceFrom<Stored>
  const carRace = composed(stored, live)
  recent.set(stored, { laps, visits, carRace })
  return carRace
}

function composed<Stored extends StoredCarRace>(
  stored: Stored,
  live: LivePhone | undefined,
): CarRaceFrom<Stored> {
  const phones = stored.phones.map(phone =>
    phone.sessionId === live?.sessionId
      ? { ...phone, laps: live.laps, visits: live.visits ?? phone.visits }
      : phone,
  )
  const visits = carVisits(phones, stored.runs)
  return { ...stored, visits, laps: carLaps({ ...stored, phones, visits }) }
}
