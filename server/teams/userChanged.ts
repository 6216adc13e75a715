import type { Me } from '#contract/users.ts'
import type { AppContext } from '../context.ts'
import { memberFromRow } from './members.ts'
import { publishTeamChanged } from './teamChanged.ts'

/** Publishes a user's new name or e-mail address to their own pages and to the members of each of their teams. */
export async function publishUserChanged({ db, live }: Pick<AppContext, 'db' | 'live'>, user: Me) {
  live.publish(`user:${user.id}`, { t: 'user-changed', user })
  const rows = await db
    .selectFrom('team_users_view')
    .select(['team_id', 'id', 'first_name', 'last_name', 'email', 'role'])
    .where('id', '=', user.id)
    .execute()
  for (const { team_id: team, ...row } of rows) {
    live.publish(`team:${team}`, { t: 'member-changed', team, member: memberFromRow(row) })
    await publishTeamChanged({ db, live }, team)
  }
}
