import type { Kysely, Selectable } from 'kysely'
import type { CarPhone, Run, Stint } from '#contract/carRaces.ts'
import type { Fill } from '#contract/fills.ts'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { RosterDriver } from '#contract/roster.ts'
import { maxRowsOfStatement } from '#contract/shared/storedBounds.ts'
import { leftPitsAt } from '#racing/laps/moves.ts'
import { type StintEntry, stintSequence } from '#racing/race/stintSequence.ts'
import { personName } from '../auth/people.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { movesOf } from '../laps/storedMoves.ts'
import { driverOfPerson } from './driverOfPerson.ts'
import { carInRace, type PhoneRow, phonesOfCar } from './phonesOfCar.ts'
import { storedRuns } from './storedRuns.ts'

/** A stint as it was entered; the name is empty if unknown. */
interface EnteredStint extends StintEntry {
  readonly enteredBy: string
}

/** The phones of a car, with its runs. */
export interface CarPhones {
  phones: readonly PhoneRow[]
  runs: Run[]
}

/** The entries about a car, and what its phones saw, without laps. */
export interface CarEntries {
  phones: Omit<CarPhone, 'laps'>[]
  runs: Run[]
  /** As they were entered. */
  entries: StintEntry[]
  /** When the driver stayed in the car at a stop, in order of time. */
  sameDriverAt: EpochMs[]
  /** As they follow from the entries and the runs, in order of time. */
  stints: Stint[]
  /** In order of time. */
  fills: Fill[]
}

/**
 * Reads the entries about some cars of a team, in the order of the cars. `drivers` are those of the team. Of more rows than
 * a statement returns, which are far more than a race has, only the newest count.
 */
export async function carEntries(
  db: Kysely<Tables>,
  cars: readonly CarPhones[],
  drivers: readonly RosterDriver[],
): Promise<CarEntries[]> {
  const ids = cars.flatMap(({ phones }) => phones.map(({ id }) => id))
  const entries = await stintEntries(db, ids)
  const fills = await storedFills(db, ids)
  const visits = await visitsOf(db, ids)
  const moves = await movesOf(db, ids)
  return cars.map(({ phones, runs }) => {
    const seen = phones.map(phone => {
      const moved = moves.get(phone.id)
      return {
        sessionId: phone.id,
        name: phone.name,
        person: personName(phone),
        startedAt: phone.date_started.getTime(),
        endedAt: phone.date_ended?.getTime() ?? null,
        starterId: driverOfPerson(drivers, phone),
        lastFixAt: moved?.lastFixAt ?? null,
        leftPitsAt: moved ? leftPitsAt(moved) : [],
        visits: visits.get(phone.id) ?? [],
      }
    })
    const filled = fillsOfCar(
      phones.map(({ id }) => id),
      fills,
    )
    const fillsAt = filled.filter(({ kind }) => kind !== 'start').map(({ at }) => at)
    const all = phones.flatMap(({ id }) => entries.get(id) ?? [])
    const entered = all.filter(entry => keptDriverAt(entry) === null)
    const persons = new Map(entered.map(({ id, enteredBy }) => [id, enteredBy]))
    const driven = seen.map(phone => ({
      ...phone,
      drives: moves.get(phone.sessionId)?.drives ?? [],
    }))
    return {
      phones: seen,
      runs,
      entries: entered,
      sameDriverAt: all.flatMap(entry => keptDriverAt(entry) ?? []).toSorted((a, b) => a - b),
      stints: stintSequence({ phones: driven, runs, entries: entered, fillsAt }).map(stint => {
        const enteredBy = persons.get(stint.id)
        return enteredBy ? { ...stint, enteredBy } : stint
      }),
      fills: filled,
    }
  })
}

/** Reads the stints of the car of a session, in order of time. `drivers` are those of the team. */
export async function stintsOfCar(
  db: Kysely<Tables>,
  session: PhoneRow,
  drivers: readonly RosterDriver[],
): Promise<Stint[]> {
  const phones = carInRace(session) ? await phonesOfCar(db, session) : [session]
  const { runs } = await storedRuns(db, session, phones)
  const [car] = await carEntries(db, [{ phones, runs }], drivers)
  return car?.stints ?? []
}

/** Returns when an entry was removed, in epoch milliseconds; null if it counts. A repetition of 1.0.0 was not. */
export function removedAtOf(
  entry: Pick<Selectable<Tables['stints']>, 'removed_at' | 'merged_into'>,
): EpochMs | null {
  return entry.merged_into === null ? (entry.removed_at?.getTime() ?? null) : null
}

/**
 * Returns the time in a stop at which the driver stayed in the car; null for the entry of a driver change. It is stored as
 * a stint that was removed when it began, so that nodes of 1.0.0 ignore it.
 */
export function keptDriverAt({
  from,
  removedAt,
  byHand,
}: Pick<StintEntry, 'from' | 'removedAt' | 'byHand'>): EpochMs | null {
  return byHand && from !== null && from === removedAt ? from : null
}

async function stintEntries(db: Kysely<Tables>, sessionIds: readonly SessionId[]) {
  const rows = await db
    .selectFrom('stints')
    .leftJoin('users', 'users.id', 'stints.entered_by')
    .select([
      'session_id',
      'stints.id',
      'driver_id',
      'from_at',
      'removed_at',
      'by_hand',
      'merged_into',
    ])
    .select(['first_name', 'last_name'])
    .where(isOneOf('session_id', sessionIds))
    .orderBy('from_at', order => order.desc().nullsLast())
    .orderBy('stints.id', 'desc')
    .limit(maxRowsOfStatement)
    .execute()
  return bySession(
    rows,
    (row): EnteredStint => ({
      id: row.id,
      enteredBy: personName(row),
      sessionId: row.session_id,
      driverId: row.driver_id,
      from: row.from_at?.getTime() ?? null,
      removedAt: removedAtOf(row),
      byHand: row.by_hand,
    }),
  )
}

/** Returns the fills of the sessions of a car, in order of time. */
export function fillsOfCar(
  sessionIds: readonly SessionId[],
  fills: ReadonlyMap<SessionId, Fill[]>,
): Fill[] {
  return sessionIds
    .flatMap(id => fills.get(id) ?? [])
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

/** Reads the fills of some sessions, those of each in order of time. */
export async function storedFills(db: Kysely<Tables>, sessionIds: readonly SessionId[]) {
  const rows = await db
    .selectFrom('fills')
    .leftJoin('users', 'users.id', 'fills.entered_by')
    .select(['session_id', 'fills.id', 'at', 'litres', 'kind', 'first_name', 'last_name'])
    .where(isOneOf('session_id', sessionIds))
    .where('removed_at', 'is', null)
    .orderBy('at', 'desc')
    .orderBy('fills.id', 'desc')
    .limit(maxRowsOfStatement)
    .execute()
  return bySession(rows, ({ id, at, litres, kind, ...person }): Fill => {
    const enteredBy = personName(person)
    return { id, at: at.getTime(), litres, kind, ...(enteredBy && { enteredBy }) }
  })
}

async function visitsOf(db: Kysely<Tables>, sessionIds: readonly SessionId[]) {
  const rows = await db
    .selectFrom('pit_visits')
    .selectAll()
    .where(isOneOf('session_id', sessionIds))
    .orderBy('started_at', 'desc')
    .limit(maxRowsOfStatement)
    .execute()
  return bySession(
    rows,
    (row): PitVisit => ({
      startedAt: row.started_at.getTime(),
      endedAt: row.ended_at?.getTime() ?? null,
      stoppedAt: row.stopped_at?.getTime() ?? null,
      leftAt: row.left_at?.getTime() ?? null,
    }),
  )
}

/** Groups rows by session. They are read from the newest on, and returned in order of time. */
function bySession<Row extends { session_id: SessionId }, Value>(
  newestFirst: readonly Row[],
  valueOf: (row: Row) => Value,
): ReadonlyMap<SessionId, Value[]> {
  const groups = new Map<SessionId, Value[]>()
  for (const row of newestFirst.toReversed()) {
    const group = groups.get(row.session_id)
    if (group) group.push(valueOf(row))
    else groups.set(row.session_id, [valueOf(row)])
  }
  return groups
}
