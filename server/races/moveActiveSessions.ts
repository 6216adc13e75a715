import type { Transaction } from 'kysely'
import type { CarId, EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import { joinsAroundStartMs } from '#contract/shared/raceRules.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type Ending, endAfterRace } from './endSession.ts'
import type { RunsContext } from './runs.ts'
import { keepDrivers } from './storedStints.ts'

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
 * Moves active sessions after a race was added or changed: those of cars that were removed from it leave it, and those of
 * its new cars join it. All leave a race that has stopped being due. Returns the sessions that joined.
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
  return joinActiveSessions(trx, race, { carIds: isEvery ? null : added, isStart: false })
}

/**
 * At the start of a race all active sessions of its cars join it, and those of silent phones that drove an ended one end.
 * Call `publishEndedAfterRace` after the commit.
 */
export async function joinAtStart(
  trx: Transaction<Tables>,
  context: Pick<RunsContext, 'recorder' | 'clock'>,
  { teamId, race }: { teamId: TeamId; race: Race },
): Promise<{ joining: SessionId[]; ended: Ending[] }> {
  const carIds = race.carIds.length === 0 ? null : race.carIds
  const ended = await endAfterRace(trx, context, { teamId, carIds, onlyDriven: true })
  const joining = await joinActiveSessions(trx, race, { carIds, isStart: true })
  await keepDrivers(trx, { spare: joining, ended })
  return { joining, ended }
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
 * Active sessions that drive no race, or one that has ended, join one; at its start also those of another one that has not
 * started. All of a car stay in an ended race if one of them drove there: its laps and entries are of that race, and the
 * car stays one. Without `carIds` the race has every car.
 */
async function joinActiveSessions(
  trx: Transaction<Tables>,
  { id }: Race,
  { carIds, isStart }: { carIds: readonly CarId[] | null; isStart: boolean },
): Promise<SessionId[]> {
  const { team_id: teamId } = await trx
    .selectFrom('races')
    .select('team_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const races = trx.selectFrom('races').select('id').where('team_id', '=', teamId)
  const ended = races.where('ended_at', 'is not', null)
  const prepared = races
    .where('ended_at', 'is', null)
    .where('started_at', 'is', null)
    .where('id', '!=', id)
  const joining = await trx
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .where('practice', '=', false)
    .where(({ or, and, not, exists, eb, selectFrom }) =>
      or([
        eb('race_id', 'is', null),
        ...(isStart ? [eb('race_id', 'in', prepared)] : []),
        and([
          eb('race_id', 'in', ended),
          not(
            exists(
              selectFrom('car_runs as run')
                .innerJoin('races as driven', 'driven.id', 'run.race_id')
                .innerJoin('sessions as phone', 'phone.id', 'run.session_id')
                .select('run.session_id')
                .whereRef('run.race_id', '=', 'sessions.race_id')
                .whereRef('run.car_id', '=', 'sessions.car_id')
                .whereRef('run.from_at', '<', 'driven.ended_at')
                .where('phone.status', '=', 'Active'),
            ),
          ),
        ]),
      ]),
    )
    .$if(carIds !== null, query => query.where('car_id', 'in', carIds ?? []))
    // The order in which fixes are stored: two orders would deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = joining.map(session => session.id)
  await trx.updateTable('sessions').set({ race_id: id }).where(isOneOf('id', ids)).execute()
  return ids
}
