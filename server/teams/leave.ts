import type { Transaction } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { isOnOneDevice } from '../auth/logins/loginKind.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { endAutoPitBy } from '../rights/endAutoPitBy.ts'
import { lockAsOwner, lockTeam } from '../rights/lockTeam.ts'
import { markDeleted } from './deleteTeam.ts'
import { endLoginsWithoutTeam } from './endLoginsWithoutTeam.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange } from './teamChanges.ts'
import { endTelevisionsOf, publishEndedTelevisions } from './televisions.ts'
import { deleteInvitationsBy, publishWithdrawn } from './withdrawInvitation.ts'

type LeaveContext = Pick<AppContext, 'db' | 'live' | 'clock'>

/**
 * Ends the caller's own membership. With its last member a team is deleted, and they can restore it for 7 days.
 * Refuses with `not-a-member`, or with `team-driving` if the last member leaves during a session.
 */
export async function leaveTeam(context: LeaveContext, teamId: TeamId, userId: UserId) {
  await endMembership(context, { teamId, userId, actorId: userId, refusal: 'not-a-member' })
}

/**
 * Removes a member, which only the owner may do. Refuses with `not-a-member`, `not-the-owner`, or
 * `not-found` if that user is not a member.
 */
export async function removeMember(
  context: LeaveContext,
  callerId: UserId,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
) {
  await endMembership(context, {
    teamId,
    userId,
    actorId: callerId,
    refusal: 'not-found',
    mayEnd: trx => lockAsOwner(trx, teamId, callerId),
  })
}

interface Ending {
  teamId: TeamId
  userId: UserId
  actorId: UserId
  /** Refusal code if that user is not a member. */
  refusal: RefusalCode
  /** Refuses callers without permission. The team is locked, so its owner cannot change before the commit. */
  mayEnd?: (trx: Transaction<Tables>) => Promise<void>
}

/**
 * Ends a membership, the pending invitations that the member made, the televisions they connected and the automatic PIT
 * they turned on. Their connections leave the team's rooms at once. A session that they drive continues: the owner can end it.
 * Somebody without an e-mail who is removed from their last team is signed out for good.
 */
async function endMembership(
  context: LeaveContext,
  { teamId, userId, actorId, refusal, mayEnd }: Ending,
) {
  const { db, clock } = context
  const { withdrawn, televisions, passed, autoPits, logins } = await db
    .transaction()
    .execute(async trx => {
      const { ownerId } = await lockTeam(trx, teamId)
      await mayEnd?.(trx)
      const own = actorId === userId
      if (own && (await isLastMember(trx, { teamId, userId })))
        return {
          passed: false,
          autoPits: [],
          logins: [],
          ...(await markDeleted(trx, { teamId, ownerId: userId, now: clock.now() })),
        }
      const televisions = await endTelevisionsOf(trx, { teamId, allowedBy: userId })
      const left = await trx
        .deleteFrom('team_access')
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .returning('user_id')
        .executeTakeFirst()
      if (!left) throw new Refusal(refusal)
      await recordTeamChange(trx, {
        teamId,
        kind: own ? 'left' : 'removed',
        actorId,
        ...(!own && { personId: userId }),
        at: clock.now(),
      })
      const passed = ownerId === userId
      if (passed) await passOwnership(trx, teamId)
      return {
        passed,
        televisions,
        autoPits: await endAutoPitBy(trx, { teamId, userId }),
        withdrawn: await deleteInvitationsBy(trx, { teamId, userId }),
        logins: own ? [] : await endLoginsWithoutTeam(trx, userId),
      }
    })
  closeRooms(context, { teamId, userId })
  publishWithdrawn(context.live, teamId, withdrawn)
  publishEndedTelevisions(context.live, televisions)
  publishRace(context.live, teamId, autoPits)
  for (const loginId of logins) context.live.endLogin(userId, loginId)
  if (passed) await publishTeamChanged(context, teamId)
}

async function isLastMember(
  trx: Transaction<Tables>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
) {
  const members = await trx
    .selectFrom('team_access')
    .select('user_id')
    .where('team_id', '=', teamId)
    .limit(2)
    .execute()
  return members.length === 1 && members[0]?.user_id === userId
}

/** Makes the longest-standing member with an account the owner, a viewer or a person without one only if nobody else is left. */
async function passOwnership(trx: Transaction<Tables>, teamId: TeamId) {
  const heir = await trx
    .selectFrom('team_access')
    .innerJoin('users', 'users.id', 'team_access.user_id')
    .select('user_id')
    .where('team_id', '=', teamId)
    .orderBy(isOnOneDevice)
    .orderBy('role')
    .orderBy('team_access.created_at')
    .orderBy('user_id')
    .executeTakeFirstOrThrow()
  await trx.updateTable('teams').set({ owner_id: heir.user_id }).where('id', '=', teamId).execute()
  await trx
    .updateTable('team_access')
    .set({ role: 'member' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', heir.user_id)
    .execute()
}

/** Unsubscribes the member's connections, on every node, and notifies the remaining subscribers. */
function closeRooms(
  { live }: LeaveContext,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
) {
  const gone = { t: 'team-removed', team: teamId } as const
  live.evict(teamId, userId)
  live.publish(`team:${teamId}`, { t: 'member-removed', team: teamId, member: userId })
  live.publish(`user:${userId}`, gone)
}
