import type { ExpressionBuilder, Transaction } from 'kysely'
import type { CarId, EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import { joinsAroundStartMs } from '#contract/shared/raceRules.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type Continued, continueSessions } from './continueSessions.ts'
import { teamOf } from './races.ts'

type Due = Pick<Race, 'startsAt' | 'startedAt' | 'endedAt'>

/**
 * True if sessions of its cars join a race: it runs, or starts about now or at an unknown time. The tests on the day
 * before are not part of a race.
 */
export function isDue({ startsAt, startedAt, endedAt }: Due, nowMs: EpochMs): boolean {
  if (endedAt !== null) return false
  return startedAt !== null || startsAt === null || Math.abs(startsAt - nowMs) <= joinsAroundStartMs
}

/**
 * After a race was added or changed: active sessions of cars that it does not name any more leave it, and those of its new
 * cars join it. All leave a race that is not due any more. Returns the sessions that joined.
 */
export async function moveActiveSessions(
  trx: Transaction<Tables>,
  { race, before, nowMs }: { race: Race; before: Race | null; nowMs: EpochMs },
): Promise<SessionId[]> {
  const wasDue = before !== null && isDue(before, nowMs)
  if (!isDue(race, nowMs)) {
    if (wasDue) await leave(trx, race, { all: true })
    return []
  }
  await leave(trx, race, { all: false })
  const { carIds } = race
  const known = new Set(wasDue ? before.carIds : [])
  const isEvery = carIds.length === 0
  // A session that left the race stays out of it until its car is added again.
  if (wasDue && isEvery && known.size === 0) return []
  const added = carIds.filter(carId => !known.has(carId))
  if (!isEvery && added.length === 0) return []
  const found = await joinable(trx, race, { carIds: isEvery ? null : added, isStart: false })
  const joining = found.map(session => session.id)
  await join(trx, race, joining)
  return joining
}

/**
 * At the start of a race all active sessions of its cars join it. Those whose phone was in a car of an ended race end,
 * and go on in new ones. Returns the sessions that joined, and among them the new ones.
 */
export async function joinAtStart(
  trx: Transaction<Tables>,
  race: Race,
  nowMs: EpochMs,
): Promise<{ joining: SessionId[]; continued: Continued[] }> {
  const teamId = await teamOf(trx, race.id)
  const carIds = race.carIds.length === 0 ? null : race.carIds
  const found = await joinable(trx, race, { carIds, isStart: true })
  const idsOf = (hasDriven: boolean) =>
    found.flatMap(session => (session.hasDriven === hasDriven ? [session.id] : []))
  await join(trx, race, idsOf(false))
  const continued = await continueSessions(trx, idsOf(true), { teamId, raceId: race.id, nowMs })
  return { joining: [...idsOf(false), ...continued.map(({ to }) => to)], continued }
}

/** Active sessions leave a race: those whose car it does not name, or all. */
async function leave(trx: Transaction<Tables>, { id, carIds }: Race, { all }: { all: boolean }) {
  if (!all && carIds.length === 0) return
  const leaving = lockedInOrder(trx)
    .where('race_id', '=', id)
    .where('status', '=', 'Active')
    .$if(!all, query => query.where('car_id', 'is not', null).where('car_id', 'not in', carIds))
  await trx.updateTable('sessions').set({ race_id: null }).where('id', 'in', leaving).execute()
}

/**
 * Reads and locks the active sessions that may join a race: those that drive no race, or one that has ended; at its start
 * also those of another one that has not started. Before its start those of a car stay in an ended race, if an active one
 * drove there: their laps and entries are of that race. Without `carIds` the race has every car.
 */
async function joinable(
  trx: Transaction<Tables>,
  { id }: Race,
  { carIds, isStart }: { carIds: readonly CarId[] | null; isStart: boolean },
): Promise<{ id: SessionId; hasDriven: boolean }[]> {
  const teamId: TeamId = await teamOf(trx, id)
  const races = trx.selectFrom('races').select('id').where('team_id', '=', teamId)
  const ended = races.where('ended_at', 'is not', null)
  const prepared = races
    .where('ended_at', 'is', null)
    .where('started_at', 'is', null)
    .where('id', '!=', id)
  const rows = await trx
    .selectFrom('sessions')
    .select(eb => ['id', hasDriven(eb, 'phone').as('has_driven')])
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .where('practice', '=', false)
    .where(eb =>
      eb.or([
        eb('race_id', 'is', null),
        ...(isStart ? [eb('race_id', 'in', prepared)] : []),
        eb.and([eb('race_id', 'in', ended), isStart ? mayDrive(eb) : eb.not(hasDriven(eb, 'car'))]),
      ]),
    )
    .$if(carIds !== null, query => query.where('car_id', 'in', carIds ?? []))
    // The order in which fixes are stored: two orders would deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(row => ({ id: row.id, hasDriven: Boolean(row.has_driven) }))
}

type OfSession = ExpressionBuilder<Tables, 'sessions'>

/** True if a session's phone, or an active one of its car, was in the car before its race ended. */
function hasDriven({ exists, selectFrom }: OfSession, of: 'phone' | 'car') {
  return exists(
    selectFrom('car_runs as run')
      .innerJoin('races as driven', 'driven.id', 'run.race_id')
      .innerJoin('sessions as phone', 'phone.id', 'run.session_id')
      .select('run.session_id')
      .whereRef('run.race_id', '=', 'sessions.race_id')
      .whereRef('run.car_id', '=', 'sessions.car_id')
      .whereRef('run.from_at', '<', 'driven.ended_at')
      .where('phone.status', '=', 'Active')
      .$if(of === 'phone', query => query.whereRef('phone.id', '=', 'sessions.id')),
  )
}

/** True if the person of a session may start one. */
function mayDrive({ exists, selectFrom }: OfSession) {
  return exists(
    selectFrom('team_access as access')
      .select('access.user_id')
      .whereRef('access.team_id', '=', 'sessions.team_id')
      .whereRef('access.user_id', '=', 'sessions.user_id')
      .where('access.role', '!=', 'viewer'),
  )
}

async function join(trx: Transaction<Tables>, { id }: Race, sessions: readonly SessionId[]) {
  await trx.updateTable('sessions').set({ race_id: id }).where(isOneOf('id', sessions)).execute()
}
