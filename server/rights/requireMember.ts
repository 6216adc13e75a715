import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { MemberRole } from '#contract/teams.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Requires membership, which allows reading everything of a team. Refuses with `not-a-member`, also if the
 * team does not exist.
 */
export async function requireMember(db: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  required(await membership(db, teamId, userId).executeTakeFirst())
}

/** Requires a member or a television of the team. Refuses with `not-a-member`. */
export async function requireReader(db: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  const row = await db
    .selectFrom('team_readers')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  required(row)
}

/** Requires membership that may change things. Refuses with `not-a-member`, or viewers with `view-only`. */
export async function requireEditor(db: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  refuseViewer(required(await membership(db, teamId, userId).executeTakeFirst()))
}

/**
 * Like `requireEditor`, until the end of the transaction: a concurrent removal or change of role waits for the
 * commit.
 */
export async function requireStillEditor(trx: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  refuseViewer(required(await membership(trx, teamId, userId).forShare().executeTakeFirst()))
}

/** Refuses viewers with `view-only`. */
export function refuseViewer({ role }: { role: MemberRole }) {
  if (role === 'viewer') throw new Refusal('view-only')
}

function required<Row>(row: Row | undefined): Row {
  if (!row) throw new Refusal('not-a-member')
  return row
}

function membership(db: Kysely<Tables>, teamId: TeamId, userId: UserId) {
  return db
    .selectFrom('team_access')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
}
