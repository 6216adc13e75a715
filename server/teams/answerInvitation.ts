import type { Kysely, Transaction } from 'kysely'
import type { EpochMs, InvitationId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Member, Team } from '#contract/teams.ts'
import type { Me } from '#contract/users.ts'
import { meFromRow, userColumns } from '../auth/people.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { endRequest, memberFromRow, requireRoomForMember, requireRoomForTeam } from './members.ts'
import { recordTeamChange } from './teamChanges.ts'
import { teamOf } from './teams.ts'
import { publishUserChanged } from './userChanged.ts'

/**
 * Makes the invited user a member; one who has been a member all along, under an earlier e-mail address, stays as they
 * are. A user without any name gets the one that the team typed. Refuses with `not-found` if the invitation is not
 * addressed to them.
 */
export async function acceptInvitation(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  userId: UserId,
  invitationId: InvitationId,
  now: EpochMs,
): Promise<Team> {
  const { team, joined, named } = await db.transaction().execute(async trx => {
    const teamId = await teamInviting(trx, userId, invitationId)
    await lockTeam(trx, teamId)
    const row = await consumeInvitation(trx, userId, invitationId, now)
    const joined = await trx
      .insertInto('team_access')
      .values({ user_id: userId, team_id: teamId, created_at: new Date(now) })
      .onConflict(conflict => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (joined) {
      await endRequest(trx, { teamId, userId })
      await requireRoomForMember(trx, teamId)
      await requireRoomForTeam(trx, userId)
      await recordTeamChange(trx, { teamId, kind: 'joined', actorId: userId, at: now })
    }
    const named = await nameUnnamed(trx, userId, row)
    return {
      team: await teamOf(trx, teamId, userId),
      joined: joined && (await newMember(trx, userId)),
      named,
    }
  })
  live.publish(`user:${userId}`, { t: 'invitation-removed', invitation: invitationId })
  live.publish(`user:${userId}`, { t: 'team-added', team })
  live.publish(`team:${team.id}`, { t: 'invited-removed', team: team.id, invited: invitationId })
  if (joined) live.publish(`team:${team.id}`, { t: 'member-added', team: team.id, member: joined })
  if (named) await publishUserChanged({ db, live }, named)
  return team
}

/** Deletes an invitation that the invited user declined. */
export async function declineInvitation(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  userId: UserId,
  invitationId: InvitationId,
  now: EpochMs,
) {
  const team = await db.transaction().execute(async trx => {
    const { team_id, first_name, last_name } = await consumeInvitation(
      trx,
      userId,
      invitationId,
      now,
    )
    // Without the user: before accepting, the team learns nothing about the account.
    await recordTeamChange(trx, {
      teamId: team_id,
      kind: 'invitation-declined',
      personName: `${first_name} ${last_name}`,
      at: now,
    })
    return team_id
  })
  live.publish(`user:${userId}`, { t: 'invitation-removed', invitation: invitationId })
  live.publish(`team:${team}`, { t: 'invited-removed', team, invited: invitationId })
}

async function teamInviting(trx: Transaction<Tables>, userId: UserId, id: InvitationId) {
  const row = await addressedTo(trx, userId, id).select('invitations.team_id').executeTakeFirst()
  if (!row) throw new Refusal('not-found')
  return row.team_id
}

function addressedTo(db: Kysely<Tables>, userId: UserId, id: InvitationId) {
  return db
    .selectFrom('invitations')
    .innerJoin('users', 'users.email', 'invitations.email')
    .where('invitations.id', '=', id)
    .where('users.id', '=', userId)
}

/** Deletes the invitation and returns it. Of concurrent answers and withdrawals only one finds the row. */
async function consumeInvitation(
  db: Kysely<Tables>,
  userId: UserId,
  id: InvitationId,
  now: EpochMs,
): Promise<{ team_id: TeamId; first_name: string; last_name: string }> {
  const row = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('expires_at', '>', new Date(now))
    .where('email', '=', eb => eb.selectFrom('users').select('email').where('id', '=', userId))
    .returning(['team_id', 'first_name', 'last_name'])
    .executeTakeFirst()
  if (!row) throw new Refusal('not-found')
  return row
}

/** Gives a user without any name the one that the team typed. Returns the user if that changed them. */
async function nameUnnamed(
  trx: Transaction<Tables>,
  userId: UserId,
  { first_name, last_name }: { first_name: string; last_name: string },
): Promise<Me | undefined> {
  const row = await trx
    .updateTable('users')
    .set({ first_name, last_name })
    .where('id', '=', userId)
    .where('first_name', 'is', null)
    .where('last_name', 'is', null)
    .returning(userColumns)
    .executeTakeFirst()
  return row && meFromRow(row)
}

async function newMember(trx: Transaction<Tables>, userId: UserId): Promise<Member> {
  const row = await trx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return memberFromRow({ ...row, role: 'member' })
}
