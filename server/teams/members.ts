import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Member, MemberRole } from '#contract/teams.ts'
import { type PersonRow, personFromRow } from '../auth/people.ts'
import type { Tables } from '../db/schema/tables.ts'
import { byName } from './byName.ts'

/** Returns the members of a team, by last name, or by e-mail address for those without one. */
export async function membersOf(db: Kysely<Tables>, teamId: TeamId): Promise<Member[]> {
  const rows = await db
    .selectFrom('team_users_view')
    .select(['id', 'first_name', 'last_name', 'email', 'role'])
    .where('team_id', '=', teamId)
    .execute()
  return rows.map(memberFromRow).sort(byName)
}

export function memberFromRow(row: PersonRow & { role: MemberRole }): Member {
  return { ...personFromRow(row), role: row.role }
}

export async function isMember(
  db: Kysely<Tables>,
  teamId: TeamId,
  userId: UserId,
): Promise<boolean> {
  const row = await db
    .selectFrom('team_access')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the request to join of somebody who is in by now. */
export async function endRequest(
  trx: Kysely<Tables>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
) {
  await trx
    .deleteFrom('join_requests')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
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
