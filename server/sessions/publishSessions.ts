import type { SessionId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import type { Live } from '../live/publish/live.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { sessionOf } from './sessions.ts'

/** Publishes sessions whose car or current driver may have changed, and calls `publishRace` for them. */
export async function publishSessions(
  { db, live, recorder }: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  sessions: readonly SessionId[],
) {
  for (const sessionId of sessions) {
    const session = await sessionOf(db, recorder, sessionId)
    live.publish(`team:${session.teamId}`, { t: 'session-changed', session })
    live.publish(`session:${sessionId}`, { t: 'session-changed', session })
    publishRace(live, session.teamId, [sessionId])
  }
}

/** Calls `publishRace` for the other active sessions of a session's race, where its stints count too. */
export async function publishOthersInRace(
  { db, live }: Pick<AppContext, 'db'> & { live: Pick<Live, 'publish'> },
  sessionId: SessionId,
) {
  const others = await db
    .selectFrom('sessions')
    .innerJoin('sessions as other', 'other.race_id', 'sessions.race_id')
    .select(['other.id', 'other.team_id'])
    .where('sessions.id', '=', sessionId)
    .where('other.id', '!=', sessionId)
    .where('other.status', '=', 'Active')
    .execute()
  for (const { id, team_id } of others) publishRace(live, team_id, [id])
}
