import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { DriverId, SessionId } from '#contract/ids.ts'
import { runsOf, unsurePhones } from '#racing/race/runs.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { movesOf } from '../laps/storedMoves.ts'
import type { Live } from '../live/publish/live.ts'
import { publishActiveInRace, publishSessions } from '../sessions/publishSessions.ts'
import type { Recorder } from '../telemetry/recorder.ts'
import { tryEach } from '../tryEach.ts'
import { driversOfPhones } from './driversOfPhones.ts'
import {
  type CarInRace,
  type CarOfSession,
  carInRace,
  carOfSession,
  type PhoneRow,
  phonesOfCar,
} from './phonesOfCar.ts'
import { type CarRuns, storedRuns } from './storedRuns.ts'

interface Context {
  db: Kysely<Tables>
  live: Pick<Live, 'publish'>
  recorder: Pick<Recorder, 'latest'>
}

/**
 * Computes the runs of the car of a session again, and publishes them if they differ. Call it after the moves of a phone
 * changed. Equal input gives equal runs, so that it does not matter which node is the last one.
 */
export async function recomputeRuns(context: Context, sessionId: SessionId) {
  const session = await carOfSession(context.db, sessionId)
  if (!session) return
  const { hasRuns, drivers } = await storeRuns(context.db, session)
  await publishSessions(context, drivers)
  if (hasRuns && session.race_id) await publishActiveInRace(context, session.race_id, drivers)
}

/**
 * The same after a change of a session or of the entries of its car. Publishes the race in any case, also to the cars of
 * the race that the session drove before. `changed` are sessions that are published themselves.
 */
export async function publishCar(
  context: Context,
  sessionId: SessionId,
  {
    before,
    changed = [],
  }: { before?: CarOfSession | undefined; changed?: readonly SessionId[] } = {},
) {
  const session = await carOfSession(context.db, sessionId)
  const left = before && carInRace(before) && !isSameCar(before, session) ? [before] : []
  const published = new Set(changed)
  for (const each of session ? [...left, session] : left) {
    const { drivers } = await storeRuns(context.db, each)
    for (const id of drivers) published.add(id)
  }
  await publishSessions(context, [...published])
  for (const raceId of new Set([before?.race_id, session?.race_id]))
    if (raceId) await publishActiveInRace(context, raceId, [...published])
}

function isSameCar(one: CarOfSession, other: CarOfSession | undefined): boolean {
  return one.race_id === other?.race_id && one.car_id === other?.car_id
}

/** What changed: whether the runs of a car differ, and the active sessions of which the current driver does. */
interface ChangedCar {
  hasRuns: boolean
  drivers: SessionId[]
}

/**
 * Computes the runs of the car of a session again, and stores them with the current drivers of its phones. Other changes
 * of runs in the race wait for the commit, so that the last result is that of all changes.
 */
export async function storeRuns(db: Kysely<Tables>, session: CarOfSession): Promise<ChangedCar> {
  const car = carInRace(session)
  // Without a lock: as a rule nothing differs.
  if (!(await computedCar(db, session))) return { hasRuns: false, drivers: [] }
  return db.transaction().execute(async trx => {
    if (car) await lockRuns(trx, car)
    const { runs = null, drivers = [] } = (await computedCar(trx, session)) ?? {}
    if (car && runs) await replaceRuns(trx, car, runs)
    if (drivers.length > 0) await setDrivers(trx, drivers)
    const active = drivers.filter(({ status }) => status === 'Active')
    return { hasRuns: runs !== null, drivers: active.map(({ id }) => id) }
  })
}

/** Locks the runs of all cars of a race until the end of the transaction. Lock sessions after it. */
export async function lockRuns(trx: Kysely<Tables>, { raceId }: CarInRace) {
  await trx.selectFrom('races').select('id').where('id', '=', raceId).forNoKeyUpdate().execute()
}

/**
 * Computes the runs of all cars again that drive a race: a process may have stopped between a change and its result.
 */
export async function recomputeActiveRuns(context: Context) {
  const pages = inPages(
    firstId,
    after =>
      context.db
        .selectFrom('sessions')
        .select('id')
        .where('status', '=', 'Active')
        .where('race_id', 'is not', null)
        .where('car_id', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(rowsPerPage)
        .execute(),
    ({ id }) => id,
  )
  await tryEach(pages, rows => tryEach(rows, ({ id }) => recomputeRuns(context, id)))
}

/** Computes the runs and the current drivers of a car. Returns those that differ from the stored ones; null if none do. */
async function computedCar(
  db: Kysely<Tables>,
  session: CarOfSession,
): Promise<{ runs: CarRuns | null; drivers: DrivenPhone[] } | null> {
  const car = carInRace(session)
  const phones = await phonesOfCar(db, session)
  const stored = await storedRuns(db, session, phones)
  const computed = car ? await computedRuns(db, car, phones) : stored
  const driverIds = await driversOfPhones(db, phones, computed.runs)
  const drivers = phones.flatMap(({ id, status, driver_id }) => {
    const driverId = driverIds.get(id) ?? null
    return driverId === driver_id ? [] : [{ id, status, driverId }]
  })
  const runs = isSame(stored, computed) ? null : computed
  return runs || drivers.length > 0 ? { runs, drivers } : null
}

/** A phone with the driver who drove last while it was in the car. */
type DrivenPhone = Pick<PhoneRow, 'id' | 'status'> & { driverId: DriverId | null }

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
  return { runs, unsure: unsurePhones(phones, runs) }
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

async function setDrivers(trx: Kysely<Tables>, drivers: readonly DrivenPhone[]) {
  const ids = drivers.map(({ id }) => id)
  await lockedInOrder(trx).where(isOneOf('sessions.id', ids)).execute()
  for (const { id, driverId: driver_id } of drivers)
    await trx.updateTable('sessions').set({ driver_id }).where('id', '=', id).execute()
}
