import type { Kysely, Transaction } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { logoName, memberPhotoName } from '#contract/shared/fileRules.ts'
import type { Member, MemberRole, Team } from '#contract/teams.ts'
import type { Tables } from '../db/schema/tables.ts'
import { memberFromRow, requireMember } from '../rights/requireMember.ts'
import { byName } from './byName.ts'

/** Returns the teams of a user, by name. */
export async function teamsOf(db: Kysely<Tables>, userId: UserId): Promise<Team[]> {
  const rows = await seenBy(db, userId).execute()
  return rows
    .map(teamFromRow)
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
}

/** Returns one team of a user. Refuses with `not-a-member`. */
export async function teamOf(db: Kysely<Tables>, teamId: TeamId, userId: UserId): Promise<Team> {
  const row = await seenBy(db, userId).where('teams_view.id', '=', teamId).executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  return teamFromRow(row)
}

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

/** Locks a team like `lockTeam`, for its owner. Refuses with `not-a-member` or `not-the-owner`. */
export async function lockAsOwner(trx: Transaction<Tables>, teamId: TeamId, userId: UserId) {
  const { ownerId } = await lockTeam(trx, teamId)
  if (ownerId === userId) return
  await requireMember(trx, teamId, userId)
  throw new Refusal('not-the-owner')
}

/** Selects a user's teams with their logos, and the user's photo in each. */
function seenBy(db: Kysely<Tables>, userId: UserId) {
  return db
    .selectFrom('teams_view')
    .leftJoin('files as logo', join =>
      join.onRef('logo.team_id', '=', 'teams_view.id').on('logo.name', '=', logoName),
    )
    .leftJoin('files as photo', join =>
      join
        .onRef('photo.team_id', '=', 'teams_view.id')
        .on('photo.name', '=', memberPhotoName(userId)),
    )
    .where('teams_view.user_id', '=', userId)
    .select([
      'teams_view.id',
      'teams_view.name',
      'teams_view.owner_id',
      'teams_view.role',
      'logo.updated_at as logo_updated_at',
      'photo.updated_at as photo_updated_at',
    ])
}

function teamFromRow(row: {
  id: TeamId
  name: string
  owner_id: UserId | null
  role: MemberRole
  logo_updated_at: Date | null
  photo_updated_at: Date | null
}): Team {
  return {
    id: row.id,
    name: row.name,
    logoUpdatedAt: row.logo_updated_at?.getTime() ?? null,
    photoUpdatedAt: row.photo_updated_at?.getTime() ?? null,
    ownerId: row.owner_id,
    role: row.role,
  }
}

/** Returns the members of a team, by last name, or by e-mail address for those without one. */
export async function membersOf(db: Kysely<Tables>, teamId: TeamId): Promise<Member[]> {
  const rows = await db
    .selectFrom('team_users_view')
    .select(['id', 'first_name', 'last_name', 'email', 'role'])
    .where('team_id', '=', teamId)
    .execute()
  return rows.map(memberFromRow).sort(byName)
}
