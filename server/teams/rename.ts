import type { TeamId, UserId } from '#contract/ids.ts'
import type { Team } from '#contract/teams.ts'
import type { AppContext } from '../context.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { lockAsOwner, teamOf } from './teams.ts'

/** Renames a team, which only its owner may do. Refuses with `not-a-member` or `not-the-owner`. */
export async function renameTeam(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  callerId: UserId,
  { teamId, name }: { teamId: TeamId; name: string },
): Promise<Team> {
  const team = await db.transaction().execute(async trx => {
    await lockAsOwner(trx, teamId, callerId)
    await trx.updateTable('teams').set({ name }).where('id', '=', teamId).execute()
    return teamOf(trx, teamId, callerId)
  })
  await publishTeamChanged({ db, live }, teamId)
  return team
}
