import type { Kysely } from 'kysely'
import { logoName, memberPhotoName } from '#contract/fileRules.ts'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Team } from '#contract/teams.ts'
import type { Person } from '#contract/users.ts'
import { personFromRow } from '../auth/people.ts'
import type { Tables } from '../db/tables.ts'

/** The teams a user can see, by name. */
export async function teamsOf(db: Kysely<Tables>, userId: UserId): Promise<Team[]> {
  const rows = await seenBy(db, userId).execute()
  return rows
    .map(teamFromRow)
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
}

/** One team as a user sees it. Refuses with `not-a-member`. */
export async function teamOf(db: Kysely<Tables>, teamId: TeamId, userId: UserId): Promise<Team> {
  const row = await seenBy(db, userId).where('teams_view.id', '=', teamId).executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  return teamFromRow(row)
}

/** Their teams, with the pictures that stand beside a name. */
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
      'logo.updated_at as logo_updated_at',
      'photo.updated_at as photo_updated_at',
    ])
}

function teamFromRow(row: {
  id: TeamId
  name: string
  logo_updated_at: Date | null
  photo_updated_at: Date | null
}): Team {
  return {
    id: row.id,
    name: row.name,
    logoUpdatedAt: row.logo_updated_at?.getTime() ?? null,
    photoUpdatedAt: row.photo_updated_at?.getTime() ?? null,
  }
}

/** Everyone in a team, by last name; those without one by their address. */
export async function membersOf(db: Kysely<Tables>, teamId: TeamId): Promise<Person[]> {
  const rows = await db
    .selectFrom('team_users_view')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('team_id', '=', teamId)
    .execute()
  return rows.map(personFromRow).sort(byName)
}

export function byName(a: Person, b: Person): number {
  return sortKey(a).localeCompare(sortKey(b)) || a.id.localeCompare(b.id)
}

function sortKey(person: Person): string {
  return `${person.lastName ?? person.email ?? ''} ${person.firstName ?? ''}`
}
