import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { logoName, memberPhotoName } from '#contract/shared/fileRules.ts'
import type { MemberRole, Team } from '#contract/teams.ts'
import type { Tables } from '../db/schema/tables.ts'

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
