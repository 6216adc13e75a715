import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Team } from '#contract/teams.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/live.ts'
import { requireMember } from './members.ts'
import { lockTeam, teamOf } from './teams.ts'

/** Renames a team, which only its owner may do. Refuses with `not-a-member` or `not-the-owner`. */
export async function renameTeam(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  callerId: UserId,
  { teamId, name }: { teamId: TeamId; name: string },
): Promise<Team> {
  const team = await db.transaction().execute(async trx => {
    const { ownerId } = await lockTeam(trx, teamId)
    await requireMember(trx, teamId, callerId)
    if (ownerId !== callerId) throw new Refusal('not-the-owner')
    await trx.updateTable('teams').set({ name }).where('id', '=', teamId).execute()
    return teamOf(trx, teamId, callerId)
  })
  await publishTeamChanged({ db, live }, teamId)
  return team
}

/** Notifies every member, whatever screen they have open, that the team's name or a picture changed. */
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
