import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Member, MemberRole } from '#contract/teams.ts'
import { type PersonRow, personFromRow } from '../auth/people.ts'
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

export function memberFromRow(row: PersonRow & { role: MemberRole }): Member {
  return { ...personFromRow(row), role: row.role }
}

/** Refuses with `invalid-input` if a team has too many members. Call it after the new one was stored. */
export async function requireRoomForMember(trx: Kysely<Tables>, teamId: TeamId) {
  if ((await countOf(trx, ['team_id', teamId])) > storedBounds.members.max)
    throw new Refusal('invalid-input', { detail: storedBounds.members.refusal })
}

/** Refuses with `invalid-input` if a user is in too many teams. Call it after the new one was stored. */
export async function requireRoomForTeam(trx: Kysely<Tables>, userId: UserId) {
  if ((await countOf(trx, ['user_id', userId])) > storedBounds.teams.max)
    throw new Refusal('invalid-input', { detail: storedBounds.teams.refusal })
}

async function countOf(
  trx: Kysely<Tables>,
  [column, id]: ['team_id' | 'user_id', string],
): Promise<number> {
  const { stored } = await trx
    .selectFrom('team_access')
    .select(({ fn }) => fn.countAll<string | number>().as('stored'))
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return Number(stored)
}
