import type { TeamId, UserId } from '#contract/ids.ts'
import type { Team } from '#contract/teams.ts'
import type { AppContext } from '../context.ts'
import { lockAsOwner } from '../rights/lockTeam.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange } from './teamChanges.ts'
import { teamOf } from './teams.ts'

/** Renames a team, which only its owner may do. Refuses with `not-a-member`, `not-the-owner` or `too-many`. */
export async function renameTeam(
  { db, live, clock }: Pick<AppContext, 'db' | 'live' | 'clock'>,
  callerId: UserId,
  { teamId, name }: { teamId: TeamId; name: string },
): Promise<Team> {
  const team = await db.transaction().execute(async trx => {
    await lockAsOwner(trx, teamId, callerId)
    const { name: before } = await teamOf(trx, teamId, callerId)
    await trx.updateTable('teams').set({ name }).where('id', '=', teamId).execute()
    if (name !== before)
      await recordTeamChange(trx, {
        teamId,
        kind: 'renamed',
        actorId: callerId,
        at: clock.now(),
        before,
        after: name,
      })
    return teamOf(trx, teamId, callerId)
  })
  await publishTeamChanged({ db, live }, teamId)
  return team
}
