import type { Transaction } from 'kysely'
import type { EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { publishSessions } from '../sessions/publishSessions.ts'

/** The member who changes a roster, and when. */
export interface RosterAuthor {
  readonly actorId: UserId
  readonly at: EpochMs
}

/** Changes cars or drivers, and returns the sessions that show them. */
export type RosterChange = (trx: Transaction<Tables>) => Promise<SessionId[]>

/**
 * Runs a change of a team's roster; changes of one team run one at a time. Refuses with `not-a-member`, or viewers
 * with `view-only`.
 */
export async function changeRoster(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  change: RosterChange,
) {
  const sessions = await context.db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    return change(trx)
  })
  await publishRoster(context, teamId, sessions)
}

/** Publishes that a roster changed. `sessions` show a changed car or driver outside their lists, too. */
export async function publishRoster(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  teamId: TeamId,
  sessions: readonly SessionId[] = [],
) {
  const { db, live } = context
  live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
  await publishSessions(context, sessions)
  // Their screens list the drivers of the team.
  const others = await db
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .execute()
  publishRace(
    live,
    teamId,
    others.map(({ id }) => id).filter(id => !sessions.includes(id)),
  )
}
