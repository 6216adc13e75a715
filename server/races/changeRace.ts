import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { EpochMs, RaceId, TeamId, UserId } from '#contract/ids.ts'
import type { PreparedRace, Race, RaceChange } from '#contract/races.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxPreparedRaces, maxRaces, noRules } from '#contract/shared/raceRules.ts'
import { newestVersion } from '../circuits/storedCircuits.ts'
import type { AppContext } from '../context.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type CountedRace, publishCountedRace, publishRace } from '../live/publish/publishRace.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { inheritSettings, type PublishInherited } from '../sessions/inheritSettings.ts'
import { recordOngoingChange, recordTeamChange } from '../teams/teamChanges.ts'
import { moveActiveSessions } from './moveActiveSessions.ts'
import type { CarOfSession } from './phonesOfCar.ts'
import { savedRace } from './races.ts'
import { storeRuns } from './runs.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'clock' | 'laps' | 'recorder'>

/**
 * Adds a race, or changes the given fields of the race with this id; active sessions of its cars join it if it is due.
 * Refuses a change of a value that is not as the caller saw it, cars of other teams, and the id of another team's race.
 */
export async function saveRace(
  context: Context,
  userId: UserId,
  input: { teamId: TeamId; race: RaceChange & { id: RaceId }; was?: RaceChange | undefined },
) {
  const { teamId, was } = input
  const { id, ...race } = input.race
  const { clock } = context
  let publish: PublishInherited = async () => {}
  const change = async (trx: Transaction<Tables>) => {
    const known = await trx
      .selectFrom('races')
      .select('team_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (known && known.team_id !== teamId) throw new Refusal('not-found')
    const before = known ? await savedRace(trx, id) : null
    const name = race.name ?? before?.name
    // A change of a race that was deleted does not add it again.
    if (name === undefined || (was && !before)) throw new Refusal('not-found')
    if (before && was) requireUnchanged(before, was, race)
    const next = { ...changedRace(before ?? newRace, race), name }
    if (before?.startedAt != null && next.length === null)
      throw new Refusal('invalid-input', { detail: 'race-length-missing' })
    if (race.circuitId != null) await newestVersion(trx, teamId, race.circuitId)
    const values = columnsOf(next)
    if (before) await trx.updateTable('races').set(values).where('id', '=', id).execute()
    else {
      await requireRoom(trx, teamId)
      const created_at = new Date(clock.now())
      await trx
        .insertInto('races')
        .values({ id, team_id: teamId, created_at, ...values })
        .execute()
    }
    if (before && !isDeepStrictEqual(before.length, next.length)) await endFollowing(trx, id)
    await setCars(trx, teamId, { id, carIds: next.carIds })
    const made = { teamId, actorId: userId, at: clock.now(), after: name }
    if (!before) await recordTeamChange(trx, { ...made, kind: 'race-added' })
    else if (isChanged(before, next)) {
      const change = { ...made, kind: 'race-changed', before: before.name } as const
      await recordOngoingChange(trx, change, 'race-added')
    }
    const joining = await moveActiveSessions(trx, {
      race: await savedRace(trx, id),
      before,
      nowMs: clock.now(),
    })
    publish = await inheritSettings(trx, userId, { joining, clock })
  }
  await changeRaces(context, { teamId, userId, raceId: id }, change, () => publish(context))
}

/** Returns a race with the given fields. */
function changedRace(
  { length, startsAt, circuitId, rules, carIds }: Omit<PreparedRace, 'name'>,
  race: RaceChange,
): Omit<PreparedRace, 'name'> {
  return {
    length: race.length === undefined ? length : race.length,
    startsAt: race.startsAt === undefined ? startsAt : race.startsAt,
    circuitId: race.circuitId === undefined ? circuitId : race.circuitId,
    rules: race.rules ?? rules,
    carIds: race.carIds ?? carIds,
  }
}

const newRace: Omit<PreparedRace, 'name'> = {
  length: null,
  startsAt: null,
  circuitId: null,
  rules: noRules,
  carIds: [],
}

/** Refuses to replace a value that another person has changed since the caller saw it. */
function requireUnchanged(stored: Race, was: RaceChange, wanted: RaceChange) {
  for (const field of Object.keys(was) as (keyof RaceChange)[]) {
    const now = comparable(stored[field])
    if (isDeepStrictEqual(now, comparable(was[field]))) continue
    // A repeated request finds its own values.
    if (isDeepStrictEqual(now, comparable(wanted[field]))) continue
    throw new Refusal('invalid-input', { detail: 'race-changed' })
  }
}

/** A person has decided against race control's clock: the race follows it no longer. */
export async function endFollowing(trx: Transaction<Tables>, raceId: RaceId) {
  await trx
    .updateTable('race_timings')
    .set({ followed_run: null })
    .where('race_id', '=', raceId)
    .execute()
}

/** False for a repeated request. */
function isChanged(stored: Race, next: PreparedRace): boolean {
  const fields = Object.keys(next) as (keyof PreparedRace)[]
  return fields.some(
    field => !isDeepStrictEqual(comparable(stored[field]), comparable(next[field])),
  )
}

/** The order of a list of cars does not matter. */
function comparable(value: RaceChange[keyof RaceChange]) {
  return Array.isArray(value) ? new Set(value) : value
}

function columnsOf({ name, length, startsAt, circuitId, rules }: PreparedRace) {
  return {
    name,
    length_ms: length?.in === 'time' ? length.ms : null,
    length_laps: length?.in === 'laps' ? length.laps : null,
    starts_at: startsAt === null ? null : new Date(startsAt),
    circuit_id: circuitId,
    rules: JSON.stringify(rules),
  }
}

/** Deletes a race that has not started, which its sessions leave. Does nothing if it is not stored. */
export async function deleteRace(
  context: Context,
  userId: UserId,
  { teamId, raceId }: { teamId: TeamId; raceId: RaceId },
) {
  await changeRaces(context, { teamId, userId, raceId }, async trx => {
    const race = await trx
      .selectFrom('races')
      .select(['name', 'started_at'])
      .where('id', '=', raceId)
      .where('team_id', '=', teamId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!race) return
    if (race.started_at) throw new Refusal('invalid-input', { detail: 'race-started' })
    // Before the sessions and the race, as a batch of official timing locks them.
    await trx.deleteFrom('race_timings').where('race_id', '=', raceId).execute()
    await trx
      .updateTable('sessions')
      .set({ race_id: null })
      .where('id', 'in', lockedInOrder(trx).where('race_id', '=', raceId))
      .execute()
    await trx.deleteFrom('races').where('id', '=', raceId).execute()
    const made = { teamId, actorId: userId, at: context.clock.now(), after: race.name }
    await recordTeamChange(trx, { ...made, kind: 'race-deleted' })
  })
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
    const ended = await trx
      .updateTable('races')
      .set({ ended_at: new Date(Math.min(at ?? now, now)) })
      .where('id', '=', raceId)
      .where('ended_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (!ended) return
    const made = { teamId, actorId: userId, at: now, after: ended.name }
    await recordTeamChange(trx, { ...made, kind: 'race-over' })
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
  onCommitted: () => Promise<void> = async () => {},
) {
  const { before, after } = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    const before = await activeSessions(trx, teamId)
    await change(trx)
    return { before, after: await activeSessions(trx, teamId) }
  })
  await onCommitted()
  const moved = after.flatMap(session => {
    const was = before.find(({ id }) => id === session.id)
    return was?.race_id === session.race_id ? [] : [...(was ? [was] : []), session]
  })
  // In this order: a session that has left its car is one of its own.
  const counted: CountedRace[] = []
  for (const session of moved)
    for (const room of (await storeRuns({ db, live, clock }, session, counted)).counted)
      counted.push(room)
  live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
  // Also notifies the sessions that leave the race.
  const ofRace = [...before, ...after].filter(({ race_id }) => race_id === raceId)
  publishCountedRace(live, counted)
  const isCounted = new Set(counted.map(({ session }) => session))
  const others = ofRace.filter(({ id }) => !isCounted.has(id))
  publishRace(live, teamId, [...new Set(others.map(({ id }) => id))])
}

async function requireRoom(trx: Transaction<Tables>, teamId: TeamId) {
  const { all, prepared } = await trx
    .selectFrom('races')
    .select(({ fn }) => [
      fn.countAll<string | number>().as('all'),
      fn
        .countAll<string | number>()
        .filterWhere('ended_at', 'is', null)
        .filterWhere('started_at', 'is', null)
        .as('prepared'),
    ])
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(prepared) >= maxPreparedRaces)
    throw new Refusal('invalid-input', { detail: 'prepared-races-too-many' })
  if (Number(all) >= maxRaces) throw new Refusal('invalid-input', { detail: 'races-too-many' })
}

async function setCars(
  trx: Transaction<Tables>,
  teamId: TeamId,
  { id, carIds }: Pick<Race, 'id' | 'carIds'>,
) {
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

/** Reads which cars the active sessions of a team drive. */
function activeSessions(trx: Transaction<Tables>, teamId: TeamId): Promise<CarOfSession[]> {
  return trx
    .selectFrom('sessions')
    .select(['id', 'race_id', 'car_id'])
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .execute()
}
