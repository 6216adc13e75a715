import type { Transaction } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/tables.ts'
import { requireMember } from './members.ts'
import { lockTeam } from './teams.ts'
import { deleteInvitationsBy, publishWithdrawn } from './withdrawInvitation.ts'

type NeededParts = Pick<AppContext, 'db' | 'live' | 'clock'>

/** A member leaves a team. Refuses with `not-a-member`. */
export async function leaveTeam(parts: NeededParts, teamId: TeamId, userId: UserId) {
  await endMembership(parts, { teamId, userId, refusal: 'not-a-member' })
}

/**
 * The owner of a team removes one of its members. Refuses with `not-a-member`, `not-the-owner`, or
 * `not-found` if there is no such member.
 */
export async function removeMember(
  parts: NeededParts,
  callerId: UserId,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
) {
  await endMembership(parts, {
    teamId,
    userId,
    refusal: 'not-found',
    mayEnd: async (trx, ownerId) => {
      await requireMember(trx, teamId, callerId)
      if (ownerId !== callerId) throw new Refusal('not-the-owner')
    },
  })
}

interface Ending {
  teamId: TeamId
  userId: UserId
  /** Why it is refused if there is no such member. */
  refusal: RefusalCode
  /** Refuses callers without the right to do it. The owner cannot change before the transaction ends. */
  mayEnd?: (trx: Transaction<Tables>, ownerId: UserId | null) => Promise<void>
}

/**
 * Ends a membership, with the member's active session and the pending invitations they made. Their connections leave the
 * team's rooms at once.
 */
async function endMembership(parts: NeededParts, { teamId, userId, refusal, mayEnd }: Ending) {
  const { db, clock } = parts
  const { sessions, withdrawn } = await db.transaction().execute(async trx => {
    const { ownerId } = await lockTeam(trx, teamId)
    await mayEnd?.(trx, ownerId)
    const ended = await trx
      .deleteFrom('team_access')
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst()
    if (!ended) throw new Refusal(refusal)
    if (ownerId === userId) await passOwnership(trx, teamId)
    await trx
      .updateTable('users')
      .set({ status: 'Inactive', active_team_id: null })
      .where('id', '=', userId)
      .where('active_team_id', '=', teamId)
      .execute()
    return {
      withdrawn: await deleteInvitationsBy(trx, { teamId, userId }),
      sessions: await endSession(trx, { teamId, userId, now: new Date(clock.now()) }),
    }
  })
  closeRooms(parts, { teamId, userId, sessions })
  publishWithdrawn(parts.live, teamId, withdrawn)
}

interface SessionOfTeam {
  id: SessionId
  /** True if it ended with the membership. */
  isEnded: boolean
}

/** Ends the member's active session. Returns all sessions of the team, whose rooms the member leaves. */
async function endSession(
  trx: Transaction<Tables>,
  { teamId, userId, now }: { teamId: TeamId; userId: UserId; now: Date },
): Promise<SessionOfTeam[]> {
  const ended = await trx
    .updateTable('sessions')
    .set({ status: 'Complete', date_ended: now })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .where('status', '=', 'Active')
    .returning('id')
    .execute()
  const all = await trx.selectFrom('sessions').select('id').where('team_id', '=', teamId).execute()
  return all.map(({ id }) => ({ id, isEnded: ended.some(each => each.id === id) }))
}

/** The member who has been in the team longest owns it from now on; nobody, if nobody is left. */
async function passOwnership(trx: Transaction<Tables>, teamId: TeamId) {
  await trx
    .updateTable('teams')
    .set(eb => ({
      owner_id: eb
        .selectFrom('team_access')
        .select('user_id')
        .where('team_id', '=', teamId)
        .orderBy('created_at')
        .orderBy('user_id')
        .limit(1),
    }))
    .where('id', '=', teamId)
    .execute()
}

/** On every node. */
function closeRooms(
  { live }: NeededParts,
  { teamId, userId, sessions }: { teamId: TeamId; userId: UserId; sessions: SessionOfTeam[] },
) {
  const { code, message } = new Refusal('not-a-member')
  const gone = { t: 'team-removed', team: teamId } as const
  for (const { id, isEnded } of sessions) {
    if (isEnded) {
      const ended = { t: 'session-ended', team: teamId, session: id } as const
      live.publish(`team:${teamId}`, ended)
      live.publish(`session:${id}`, ended)
    }
    const room = `session:${id}` as const
    live.evict(room, userId, { t: 'refused', re: 'watch', room, code, message })
  }
  live.evict(`team:${teamId}`, userId, gone)
  live.publish(`team:${teamId}`, { t: 'member-removed', team: teamId, member: userId })
  live.publish(`user:${userId}`, gone)
}
