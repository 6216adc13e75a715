import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { noPositionMs } from '#contract/shared/runRules.ts'
import { sessionInCar } from '#web/race/shownCarRace.ts'

/** A car of a team. A session without a race or without a car is a lane of its own. */
export interface Lane {
  /** The first session of the car in its race, or the only one: it stays the same while phones change. */
  readonly id: string
  /** The session whose phone is in the car; while none is, that of the last driver, or else the newest one. */
  readonly session: Session
  /** Its active sessions, in the order of their start. */
  readonly phones: readonly Session[]
  /** The phones that a message reaches: of the phone in the car and of those that may be in it, else all. */
  readonly addressed: readonly Session[]
  /** The phone that moves off while the one in the car is stationary: it shows where the car is. Null without one. */
  readonly movesOff: Session | null
  /** True while the team is asked which phone is in the car: nothing is known of the one that was. */
  readonly asks: boolean
}

/** True for a real car: a practice car has no digit, order to all cars, gap or place among them. */
export function isRealCar({ session }: Pick<Lane, 'session'>): boolean {
  return !session.practice
}

/**
 * Returns the cars of active sessions, each with its phones in the order of their start; `useCarLanes` sorts the cars.
 * `races` has the stored race of each session, by its id, as far as it is loaded.
 */
export function lanesOf(
  sessions: readonly Session[],
  races: ReadonlyMap<string, StoredCarRace>,
): Lane[] {
  const cars = new Map<string, Phones>()
  for (const session of sessions.toSorted(byStart)) {
    const id = carRaceId(session, races.get(session.id))
    const [first, ...others] = cars.get(id) ?? []
    cars.set(id, first ? [first, ...others, session] : [session])
  }
  return [...cars].map(([id, phones]) => laneOf(id, phones, races))
}

type Phones = readonly [Session, ...Session[]]

function byStart(a: Session, b: Session): number {
  return a.startedAt - b.startedAt || a.id.localeCompare(b.id)
}

function carRaceId({ id }: Session, stored: StoredCarRace | undefined): string {
  return (stored?.car && stored.race && stored.phones[0]?.sessionId) ?? id
}

function laneOf(id: string, phones: Phones, races: ReadonlyMap<string, StoredCarRace>): Lane {
  const newest = phones.at(-1) ?? phones[0]
  const stored = races.get(newest.id)
  const inCar = stored && phones.find(each => each.id === sessionInCar(stored))
  const last = stored?.stints.at(-1)?.sessionId
  const unsure = phones.filter(each => stored?.unsure.includes(each.id))
  const isUnsure = inCar !== undefined && unsure.length > 0
  const asks = isUnsure && !sendsPositions(stored?.phones ?? [], inCar.id)
  return {
    id,
    session: inCar ?? phones.find(each => each.id === last) ?? newest,
    phones,
    addressed: inCar ? [inCar, ...unsure] : phones,
    movesOff: isUnsure && !asks ? (unsure.at(-1) ?? null) : null,
    asks,
  }
}

/** True if positions of a phone arrive: while it is stationary, another phone takes over soon, without a question. */
function sendsPositions(phones: StoredCarRace['phones'], sessionId: string): boolean {
  const { lastFixAt = null } = phones.find(each => each.sessionId === sessionId) ?? {}
  const newestAt = greatestOf(phones.map(each => each.lastFixAt ?? 0))
  return lastFixAt !== null && newestAt - lastFixAt < noPositionMs
}
