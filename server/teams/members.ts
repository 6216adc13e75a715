import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Requires membership, which grants access to everything of a team. Refuses with `not-a-member`, also if
 * the team does not exist.
 */
export async function requireMember(db: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  const row = await membership(db, teamId, userId).executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
}

/** Requires membership until the end of the transaction: a concurrent removal waits for the commit. */
export async function requireStillMember(trx: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  const row = await membership(trx, teamId, userId).forKeyShare().executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
}

function membership(db: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  return db
    .selectFrom('team_access')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
}
