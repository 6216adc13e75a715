import type { Transaction } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireMember, requireStillEditor } from './requireMember.ts'
import { requireSessionReader } from './requireSession.ts'

/**
 * Locks a team's membership until the end of the transaction; other queries on the team are not blocked.
 * Returns the owner. Refuses with `not-a-member` if the team does not exist.
 */
export async function lockTeam(
  trx: Transaction<Tables>,
  teamId: TeamId,
): Promise<{ ownerId: UserId | null }> {
  const row = await trx
    .selectFrom('teams')
    .select('owner_id')
    .where('id', '=', teamId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  return { ownerId: row.owner_id }
}

/**
 * Locks the team of a session like `lockTeam`, for somebody who may change the session. Refuses with `not-a-member`, or
 * viewers with `view-only`.
 */
export async function lockTeamOfSession(
  trx: Transaction<Tables>,
  sessionId: SessionId,
  userId: UserId,
) {
  const { teamId } = await requireSessionReader(trx, sessionId, userId)
  await lockTeam(trx, teamId)
  await requireStillEditor(trx, teamId, userId)
}

/** Locks a team like `lockTeam`, for its owner. Refuses with `not-a-member` or `not-the-owner`. */
export async function lockAsOwner(trx: Transaction<Tables>, teamId: TeamId, userId: UserId) {
  const { ownerId } = await lockTeam(trx, teamId)
  if (ownerId === userId) return
  await requireMember(trx, teamId, userId)
  throw new Refusal('not-the-owner')
}
