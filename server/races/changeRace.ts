import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { CarId, EpochMs, RaceId, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxRaces } from '#contract/shared/raceRules.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { inheritSettings, type PublishInherited } from '../sessions/inheritSettings.ts'
import type { CarOfSession } from './phonesOfCar.ts'
import { storeRuns } from './runs.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'clock' | 'laps'>
type SavedRace = Pick<Race, 'id' | 'name' | 'length' | 'rules' | 'carIds'>

/**
 * Adds a race, which the active sessions of its cars join, or changes the one with this id. Refuses a second race that
 * has not ended, cars of other teams, and the id of another team's race.
 */
export async function saveRace(
  context: Context,
  userId: UserId,
  { teamId, race }: { teamId: TeamId; race: SavedRace },
) {
  const { id, name, length, rules } = race
  const values = {
    name,
    length_ms: length.in === 'time' ? length.ms : null,
    length_laps: length.in === 'laps' ? length.laps : null,
    rules: JSON.stringify(rules),
  }
  const { clock } = context
  let publish: PublishInherited = () => {}
  const change = async (trx: Transaction<Tables>) => {
    const known = await trx
      .selectFrom('races')
      .select('team_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (known && known.team_id !== teamId) throw new Refusal('not-found')
    if (known) await trx.updateTable('races').set(values).where('id', '=', id).execute()
    else {
      await requireRoom(trx, teamId)
      const created_at = new Date(clock.now())
      await trx
        .insertInto('races')
        .values({ id, team_id: teamId, created_at, ...values })
        .execute()
    }
    const before = await carsOfRace(trx, id)
    await setCars(trx, teamId, race)
    if (!known || !isDeepStrictEqual(new Set(before), new Set(race.carIds))) {
      await leaveWithoutCar(trx, race)
      const joining = await joinActiveSessions(trx, teamId, {
        ...race,
        before: known ? before : null,
      })
      publish = await inheritSettings(trx, userId, { joining, clock })
    }
  }
  await changeRaces(context, { teamId, userId, raceId: id }, change, () => publish(context))
}

/** Ends a race, at a time in the past or now. A race that has ended stays as it is. */
export async function endRace(
  context: Context,
  userId: UserId,
  { raceId, at }: { raceId: RaceId; at?: EpochMs | undefined },
) {
  const teamId = await teamOfRace(context.db, raceId, userId)
  await changeRaces(context, { teamId, userId, raceId }, async trx => {
    const now = context.clock.now()
    await trx
      .updateTable('races')
      .set({ ended_at: new Date(Math.min(at ?? now, now)) })
      .where('id', '=', raceId)
      .where('ended_at', 'is', null)
      .execute()
  })
}

/**
 * Runs a change of a race; changes of one team's races and roster run one at a time. Publishes it to the team and to
 * the sessions of the race. Refuses with `not-a-member`, or viewers with `view-only`.
 */
export async function changeRaces(
  { db, live, clock }: Pick<Context, 'db' | 'live' | 'clock'>,
  { teamId, userId, raceId }: { teamId: TeamId; userId: UserId; raceId: RaceId },
  change: (trx: Transaction<Tables>) => Promise<void>,
  onCommitted = () => {},
) {
  const { before, after } = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    const before = await activeSessions(trx, teamId)
    await change(trx)
    return { before, after: await activeSessions(trx, teamId) }
  })
  onCommitted()
  const moved = after.flatMap(session => {
    const was = before.find(({ id }) => id === session.id)
    return was?.race_id === session.race_id ? [] : [...(was ? [was] : []), session]
  })
  // In this order: a session that has left its car is one of its own.
  for (const session of moved) await storeRuns({ db, live, clock }, session)
  live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
  // Sessions that leave the race are notified as well.
  const ofRace = [...before, ...after].filter(({ race_id }) => race_id === raceId)
  publishRace(live, teamId, [...new Set(ofRace.map(({ id }) => id))])
}

async function requireRoom(trx: Transaction<Tables>, teamId: TeamId) {
  const { all, open } = await trx
    .selectFrom('races')
    .select(({ fn }) => [
      fn.countAll<string | number>().as('all'),
      fn.countAll<string | number>().filterWhere('ended_at', 'is', null).as('open'),
    ])
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(open) > 0) throw new Refusal('invalid-input', { detail: 'race-not-ended' })
  if (Number(all) >= maxRaces) throw new Refusal('invalid-input', { detail: 'races-too-many' })
}

async function setCars(trx: Transaction<Tables>, teamId: TeamId, { id, carIds }: SavedRace) {
  await trx.deleteFrom('race_cars').where('race_id', '=', id).execute()
  const wanted = [...new Set(carIds)]
  if (wanted.length === 0) return
  const cars = await trx
    .selectFrom('cars')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', 'in', wanted)
    .forKeyShare()
    .execute()
  if (cars.length < wanted.length) throw new Refusal('not-found')
  await trx
    .insertInto('race_cars')
    .values(wanted.map(car_id => ({ race_id: id, car_id })))
    .execute()
}

async function carsOfRace(trx: Transaction<Tables>, raceId: RaceId): Promise<CarId[]> {
  const rows = await trx
    .selectFrom('race_cars')
    .select('car_id')
    .where('race_id', '=', raceId)
    .execute()
  return rows.map(({ car_id }) => car_id)
}

/** Active sessions leave a race that does not name their car any more. */
async function leaveWithoutCar(trx: Transaction<Tables>, { id, carIds }: SavedRace) {
  if (carIds.length === 0) return
  await trx
    .updateTable('sessions')
    .set({ race_id: null })
    .where(
      'id',
      'in',
      lockedInOrder(trx)
        .where('race_id', '=', id)
        .where('status', '=', 'Active')
        .where('car_id', 'is not', null)
        .where('car_id', 'not in', carIds),
    )
    .execute()
}

/**
 * Active sessions that drive no race, or one that has ended, join one that is added or gets their car. Returns them. Those
 * whose phone was in a car of the ended race stay in it: their laps and entries are of that race.
 */
async function joinActiveSessions(
  trx: Transaction<Tables>,
  teamId: TeamId,
  { id, carIds, before }: SavedRace & { before: readonly CarId[] | null },
): Promise<SessionId[]> {
  const added = carIds.filter(carId => !before?.includes(carId))
  // A session that left the race stays out of it until its car is added again.
  if (carIds.length > 0 && added.length === 0) return []
  const endedRaces = trx
    .selectFrom('races')
    .select('id')
    .where('team_id', '=', teamId)
    .where('ended_at', 'is not', null)
  const joining = await trx
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .where(({ or, eb }) => or([eb('race_id', 'is', null), eb('race_id', 'in', endedRaces)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('car_runs')
            .select('car_runs.session_id')
            .whereRef('car_runs.session_id', '=', 'sessions.id')
            .whereRef('car_runs.race_id', '=', 'sessions.race_id'),
        ),
      ),
    )
    .$if(added.length > 0, query => query.where('car_id', 'in', added))
    // The order in which fixes are stored: two orders would deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = joining.map(session => session.id)
  await trx.updateTable('sessions').set({ race_id: id }).where(isOneOf('id', ids)).execute()
  return ids
}

/** Reads which cars the active sessions of a team drive. */
function activeSessions(trx: Transaction<Tables>, teamId: TeamId): Promise<CarOfSession[]> {
  return trx
    .selectFrom('sessions')
    .select(['id', 'race_id', 'car_id'])
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .execute()
}
