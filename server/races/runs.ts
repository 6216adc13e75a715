import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Run } from '#contract/carRaces.ts'
import type { DriverId, RaceId, SessionId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { type PhoneRun, phoneRuns, runsOf } from '#racing/race/runs.ts'
import { unsurePhones } from '#racing/race/unsurePhones.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import { countInRooms } from '../db/roomRevisions.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishActiveInRace } from '../laps/publishInRace.ts'
import { movesOf } from '../laps/storedMoves.ts'
import type { CountedRace } from '../live/publish/publishRace.ts'
import { carryOver, type Takeover } from '../messages/carryOver.ts'
import { publishMessage } from '../messages/messages.ts'
import { driversOf } from '../roster/roster.ts'
import { type PublishContext, publishSessions } from '../sessions/publishSessions.ts'
import { carEntries } from './carEntries.ts'
import {
  type CarInRace,
  type CarOfSession,
  carInRace,
  carOfSession,
  type PhoneRow,
  phonesOfCar,
} from './phonesOfCar.ts'
import { type CarRuns, storedRuns } from './storedRuns.ts'

/** After a longer time without a phone in the car, the message that was on the screen before is out of date. */
export const longestPauseMs = 5 * 60_000

/** The parts of the server that a computation of runs needs. */
export interface RunsContext extends PublishContext {
  clock: Pick<Clock, 'now'>
}

/**
 * Computes the runs of the car of a session again, and publishes them if they differ. Call it after the moves of a
 * phone changed. Equal input gives equal runs, so that it does not matter which node is the last one.
 */
export async function recomputeRuns(context: RunsContext, sessionId: SessionId) {
  const session = await carOfSession(context.db, sessionId)
  if (!session) return
  const { drivers, counted } = await storeRuns(context, session)
  await publishSessions(context, drivers, counted)
}

/**
 * The same after a change of a session or of the entries of its car. Publishes the race in any case, also to the cars
 * of the race that the session drove before. `changed` are sessions that are published themselves.
 */
export async function publishCar(
  context: RunsContext,
  sessionId: SessionId,
  {
    before,
    changed = [],
  }: { before?: CarOfSession | undefined; changed?: readonly SessionId[] } = {},
) {
  const session = await carOfSession(context.db, sessionId)
  const left = before && carInRace(before) && !isSameCar(before, session) ? [before] : []
  const published = new Set(changed)
  const allCounted: CountedRace[] = []
  for (const each of session ? [...left, session] : left) {
    const { drivers, counted } = await storeRuns(context, each, allCounted)
    for (const id of drivers) published.add(id)
    for (const room of counted) allCounted.push(room)
  }
  await publishSessions(context, [...published], allCounted)
  for (const { session: id } of allCounted) published.add(id)
  for (const raceId of new Set([before?.race_id, session?.race_id]))
    if (raceId) await publishActiveInRace(context, raceId, [...published])
}

/** True if two sessions drive one car in one race. */
export function isSameCar(one: CarOfSession, other: CarOfSession | undefined): boolean {
  return one.race_id === other?.race_id && one.car_id === other?.car_id
}

/** The result of a computation. The caller publishes it. */
interface ChangedCar {
  /** The active sessions of which the current driver differs. */
  drivers: SessionId[]
  /** The rooms in which the change was counted: those of all active sessions of the race. Empty if nothing differs. */
  counted: CountedRace[]
}

/**
 * Computes the runs of the car of a session again, and stores them with the current drivers of its phones. Other
 * changes of runs in the race wait for the commit, so that the last result is that of all changes. If another phone
 * takes over, comes soon after the one before, or may be in the car from now on, the order on the screen of that one
 * goes to it. Rooms that were counted `before` by the same operation, and are published after it, are not counted
 * again.
 */
export async function storeRuns(
  { db, live, clock }: Omit<RunsContext, 'recorder'>,
  session: CarOfSession,
  before: readonly CountedRace[] = [],
): Promise<ChangedCar> {
  // Without a lock: as a rule nothing differs.
  if (isStored(await computedCar(db, session))) return { drivers: [], counted: [] }
  const { computed, carried, counted } = await db.transaction().execute(async trx => {
    const counted = await lockCar(trx, session, before)
    const computed = await computedCar(trx, session)
    const car = carInRace(session)
    if (car && !isSame(computed.stored, computed.runs)) await replaceRuns(trx, car, computed.runs)
    for (const { id, driverId: driver_id } of computed.drivers)
      await trx.updateTable('sessions').set({ driver_id }).where('id', '=', id).execute()
    const carried = []
    for (const takeover of takeoversIn(computed)) {
      const message = await carryOver(trx, takeover, clock.now())
      if (message) carried.push({ to: takeover.to, message })
    }
    return { computed, carried, counted }
  })
  for (const { to, message } of carried) publishMessage(live, to, message)
  const active = computed.drivers.filter(({ status }) => status === 'Active')
  return { drivers: active.map(({ id }) => id), counted }
}

/** Locks the runs of all cars of a race until the end of the transaction. Lock sessions after it. */
export async function lockRuns(trx: Kysely<Tables>, raceId: RaceId) {
  await trx.selectFrom('races').select('id').where('id', '=', raceId).forNoKeyUpdate().execute()
}

/** Locks the sessions of a car, and its runs. Counts the change in the rooms of its race, which are published later. */
async function lockCar(
  trx: Kysely<Tables>,
  session: CarOfSession,
  before: readonly CountedRace[],
): Promise<CountedRace[]> {
  if (session.race_id !== null) await lockRuns(trx, session.race_id)
  // Before the sessions are locked: a new row of a room waits for those who hold its session.
  const isCounted = new Set(before.map(each => each.session))
  const rooms = (await activeRooms(trx, session)).filter(room => !isCounted.has(room.session))
  const revisions = await countInRooms(trx, rooms)
  const ids = (await phonesOfCar(trx, session)).map(({ id }) => id)
  await lockedInOrder(trx).where(isOneOf('sessions.id', ids)).execute()
  return rooms.flatMap((room, index) => {
    const revision = revisions[index]
    return revision === undefined ? [] : [{ ...room, revision }]
  })
}

/** Returns the rooms of the active sessions of a session's race, or its own without a race. */
async function activeRooms(trx: Kysely<Tables>, { id, race_id }: CarOfSession) {
  const active = await trx
    .selectFrom('sessions')
    .select(['id', 'team_id'])
    .where('status', '=', 'Active')
    .where(race_id === null ? 'id' : 'race_id', '=', race_id ?? id)
    .orderBy('id')
    .execute()
  return active.map(session => ({ team: session.team_id, session: session.id }))
}

/** The runs of a car as they are stored, and as they are. */
interface ComputedCar {
  stored: CarRuns
  runs: CarRuns
  /** The phones of which another current driver is stored, with the one who drove last while it was in the car. */
  drivers: (Pick<PhoneRow, 'id' | 'status'> & { driverId: DriverId | null })[]
}

async function computedCar(db: Kysely<Tables>, session: CarOfSession): Promise<ComputedCar> {
  const car = carInRace(session)
  const phones = await phonesOfCar(db, session)
  const stored = await storedRuns(db, session, phones)
  const runs = car ? await computedRuns(db, car, phones) : stored
  const driverIds = await driversOfPhones(db, phones, runs.runs)
  const drivers = phones.flatMap(({ id, status, driver_id }) => {
    const driverId = driverIds.get(id) ?? null
    return driverId === driver_id ? [] : [{ id, status, driverId }]
  })
  return { stored, runs, drivers }
}

function isStored({ stored, runs, drivers }: ComputedCar): boolean {
  return drivers.length === 0 && isSame(stored, runs)
}

/** Returns the phones that come into the car, or may be in it from now on, each with the one before it. */
function takeoversIn({ stored, runs }: ComputedCar): Takeover[] {
  const open = phoneRuns(runs.runs).at(-1)
  if (open?.until !== null) return []
  const inCar = takeoverOf(open, phoneRuns(stored.runs).at(-1))
  const maybe = runs.unsure
    .filter(id => !stored.unsure.includes(id))
    .map(to => ({ from: open.sessionId, to, since: null }))
  return inCar ? [inCar, ...maybe] : maybe
}

/** Returns null if the phone was in the car, or if it comes after a long time without a phone. */
function takeoverOf(open: PhoneRun, before: PhoneRun | undefined): Takeover | null {
  if (!before || open.sessionId === before.sessionId) return null
  const { sessionId: from, until: since } = before
  if (since !== null && open.from - since > longestPauseMs) return null
  return { from, to: open.sessionId, since }
}

async function computedRuns(
  db: Kysely<Tables>,
  { raceId, carId }: CarInRace,
  sessions: readonly PhoneRow[],
): Promise<CarRuns> {
  const corrections = await db
    .selectFrom('run_corrections')
    .select(['id', 'decisions'])
    .where('race_id', '=', raceId)
    .where('car_id', '=', carId)
    .where('removed_at', 'is', null)
    .orderBy('number')
    .execute()
  const ids = new Set(sessions.map(({ id }) => id))
  const moves = await movesOf(db, [...ids])
  const phones = sessions.map(({ id, date_started, date_ended }) => ({
    sessionId: id,
    startedAt: date_started.getTime(),
    endedAt: date_ended?.getTime() ?? null,
    moves: moves.get(id) ?? null,
  }))
  const decisions = corrections.flatMap(({ id: correctionId, decisions: all }) =>
    all
      // A session that has left the car decides nothing there.
      .filter(({ phone }) => phone === null || ids.has(phone))
      .map(decision => ({ ...decision, correctionId })),
  )
  const runs = runsOf(phones, decisions)
  return { runs, unsure: unsurePhones(phones, runs, decisions) }
}

function isSame(one: CarRuns, other: CarRuns): boolean {
  const valuesOf = ({ runs, unsure }: CarRuns) => [
    unsure,
    runs.map(({ sessionId, from, until, decidedBy, correctionId }) => [
      [sessionId, from, until, decidedBy, correctionId],
    ]),
  ]
  return isDeepStrictEqual(valuesOf(one), valuesOf(other))
}

async function replaceRuns(
  trx: Kysely<Tables>,
  { raceId, carId }: CarInRace,
  { runs, unsure }: CarRuns,
) {
  await trx
    .deleteFrom('car_runs')
    .where('race_id', '=', raceId)
    .where('car_id', '=', carId)
    .execute()
  if (runs.length === 0) return
  await trx
    .insertInto('car_runs')
    .values(
      runs.map(({ sessionId, from, until, decidedBy, correctionId }) => ({
        race_id: raceId,
        car_id: carId,
        session_id: sessionId,
        from_at: new Date(from),
        until_at: until === null ? null : new Date(until),
        decided_by: decidedBy,
        correction_id: correctionId ?? null,
        unsure: until === null ? unsure : [],
      })),
    )
    .execute()
}

/**
 * Returns who drove a car last while each of its phones was in it. For a phone that was not in the car yet it is the
 * driver who was entered last on its own page. Null: the person who started the session.
 */
async function driversOfPhones(
  db: Kysely<Tables>,
  phones: readonly PhoneRow[],
  runs: Run[],
): Promise<Map<SessionId, DriverId | null>> {
  const [first] = phones
  const roster = first ? await driversOf(db, first.team_id) : []
  const [{ entries, stints } = { entries: [], stints: [] }] = await carEntries(
    db,
    [{ phones, runs }],
    roster,
  )
  return new Map(
    phones.map(({ id }) => {
      const run = runs.findLast(({ sessionId }) => sessionId === id)
      const endMs = run?.until ?? Number.POSITIVE_INFINITY
      const last = run
        ? stints.findLast(({ from }) => from < endMs)
        : entries.findLast(({ sessionId, removedAt }) => sessionId === id && removedAt === null)
      return [id, last?.driverId ?? null]
    }),
  )
}
