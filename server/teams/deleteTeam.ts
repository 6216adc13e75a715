import { type Kysely, sql, type Transaction } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { restoreDays } from '#contract/shared/lifetimes.ts'
import type { DeletedTeam, Team } from '#contract/teams.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockAsOwner } from '../rights/lockTeam.ts'
import { deleteNextPositions } from '../telemetry/deletePositions.ts'
import { tryEach } from '../tryEach.ts'
import { recordTeamChange } from './teamChanges.ts'
import { teamOf } from './teams.ts'
import { endTelevisionsOf, publishEndedTelevisions } from './televisions.ts'
import { deleteInvitations, publishWithdrawn } from './withdrawInvitation.ts'

const restoreMs = restoreDays * dayMs

type Context = Pick<AppContext, 'db' | 'live' | 'clock'>

/**
 * Deletes a team, for its owner: it disappears for everybody at once, and for 7 days the owner can restore it.
 * Pending invitations are withdrawn. Refuses with `not-a-member`, `not-the-owner`, `team-driving` while a
 * session is active, or `too-many`.
 */
export async function deleteTeam({ db, live, clock }: Context, userId: UserId, teamId: TeamId) {
  const now = clock.now()
  const { members, withdrawn, televisions } = await db.transaction().execute(async trx => {
    await lockAsOwner(trx, teamId, userId)
    const members = await trx
      .selectFrom('team_access')
      .select('user_id')
      .where('team_id', '=', teamId)
      .execute()
    const ended = await markDeleted(trx, { teamId, ownerId: userId, now })
    return { members: members.map(row => row.user_id), ...ended }
  })
  publishWithdrawn(live, teamId, withdrawn)
  publishEndedTelevisions(live, televisions)
  for (const member of members) {
    live.evict(teamId, member)
    live.publish(`user:${member}`, { t: 'team-removed', team: teamId })
  }
}

/**
 * Marks a locked team as deleted, which this user can undo, withdraws its invitations and
 * disconnects its televisions. The caller publishes all of it after the commit. Refuses with `team-driving` while a session is active.
 */
export async function markDeleted(
  trx: Transaction<Tables>,
  { teamId, ownerId, now }: { teamId: TeamId; ownerId: UserId; now: EpochMs },
) {
  await refuseWhileDriving(trx, teamId)
  const withdrawn = await deleteInvitations(trx, teamId)
  await recordTeamChange(trx, { teamId, kind: 'deleted', actorId: ownerId, at: now })
  await trx
    .updateTable('teams')
    .set({ deleted_at: new Date(now), owner_id: ownerId })
    .where('id', '=', teamId)
    .execute()
  return { withdrawn, televisions: await endTelevisionsOf(trx, { teamId }) }
}

async function refuseWhileDriving(trx: Kysely<Tables>, teamId: TeamId) {
  const active = await trx
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .where('practice', '=', false)
    .executeTakeFirst()
  if (active) throw new Refusal('team-driving')
}

/** Restores a deleted team with its members, for its owner. Refuses with `too-many`, and after 7 days `not-found`. */
export async function restoreTeam(
  { db, live, clock }: Context,
  userId: UserId,
  teamId: TeamId,
): Promise<Team> {
  const now = clock.now()
  const teams = await db.transaction().execute(async trx => {
    const restored = await trx
      .updateTable('teams')
      .set({ deleted_at: null })
      .where('id', '=', teamId)
      .where('owner_id', '=', userId)
      .where('deleted_at', '>', new Date(now - restoreMs))
      .returning('id')
      .executeTakeFirst()
    if (!restored) throw new Refusal('not-found')
    await recordTeamChange(trx, { teamId, kind: 'restored', actorId: userId, at: now })
    const members = await trx
      .selectFrom('team_access')
      .select('user_id')
      .where('team_id', '=', teamId)
      .execute()
    const seen = new Map<UserId, Team>()
    for (const { user_id } of members) seen.set(user_id, await teamOf(trx, teamId, user_id))
    return seen
  })
  for (const [member, team] of teams) live.publish(`user:${member}`, { t: 'team-added', team })
  const own = teams.get(userId)
  if (!own) throw new Error('The owner of a team is not its member.')
  return own
}

/** Lists the deleted teams that their owner can restore, the newest deletion first. */
export async function deletedTeams(
  db: Kysely<Tables>,
  userId: UserId,
  now: EpochMs,
): Promise<DeletedTeam[]> {
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'name', 'deleted_at'])
    .where('owner_id', '=', userId)
    .where('deleted_at', '>', new Date(now - restoreMs))
    .orderBy('deleted_at', 'desc')
    .execute()
  return rows.map(({ id, name, deleted_at }) => ({
    id,
    name,
    restorableUntil: (deleted_at?.getTime() ?? now) + restoreMs,
  }))
}

/**
 * Removes teams deleted more than 7 days ago, and teams without members, with everything in them.
 * Positions first, in short statements, because messages to drivers wait for the embedded database. A team that cannot be
 * removed does not hold up the others: throws at the end.
 */
export async function removeDeletedTeams(db: Kysely<Tables>, now: EpochMs) {
  const isDue = sql<boolean>`(
    deleted_at <= ${new Date(now - restoreMs)}
    or not exists (select from memberships where team_id = teams.id)
  )`
  const due = await db.selectFrom('teams').select('id').where(isDue).execute()
  await tryEach(due, async ({ id }) => {
    const sessions = await db
      .selectFrom('sessions')
      .select('id')
      .where('team_id', '=', id)
      .execute()
    for (const session of sessions)
      while ((await deleteNextPositions(db, { sessionId: session.id, upTo: endOfTime })) > 0);
    // Checked again: its owner may have restored it.
    await db.deleteFrom('teams').where('id', '=', id).where(isDue).execute()
  })
}

/** Later than any position. */
const endOfTime = new Date('9999-12-31')
