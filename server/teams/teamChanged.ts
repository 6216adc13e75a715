import type { Kysely } from 'kysely'
import type { TeamId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'

/** Notifies every member, whatever screen is open, that the team's name, owner, roles or files changed. */
export async function publishTeamChanged(
  { db, live }: { db: Kysely<Tables>; live: Pick<Live, 'publish'> },
  team: TeamId,
) {
  const members = await db
    .selectFrom('team_access')
    .select('user_id')
    .where('team_id', '=', team)
    .execute()
  for (const { user_id } of members) live.publish(`user:${user_id}`, { t: 'team-changed', team })
}
