import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import type { Team } from '#contract/teams.ts'
import type { Person } from '#contract/users.ts'
import { personFromRow } from '../auth/people.ts'
import type { Tables } from '../db/tables.ts'

/** The teams a user can see, by name. */
export async function teamsOf(db: Kysely<Tables>, userId: UserId): Promise<Team[]> {
  const rows = await db
    .selectFrom('teams_view')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .execute()
  return rows.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
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
