import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import { type CountedRace, publishCountedRace, publishRace } from '../live/publish/publishRace.ts'
import type { Recorder } from '../telemetry/recorder.ts'
import { sessionOf } from './sessions.ts'

/** The services that publish a session. */
export interface PublishContext {
  db: Kysely<Tables>
  live: Pick<Live, 'publish'>
  recorder: Pick<Recorder, 'latest'>
}

/**
 * Publishes sessions whose car or current driver may have changed, and then the race of them and of all sessions in
 * `counted`.
 */
export async function publishSessions(
  { db, live, recorder }: PublishContext,
  sessions: readonly SessionId[],
  counted: readonly CountedRace[] = [],
) {
  const isCounted = new Set(counted.map(each => each.session))
  for (const sessionId of sessions) {
    const session = await sessionOf(db, recorder, sessionId)
    live.publish(`team:${session.teamId}`, { t: 'session-changed', session })
    live.publish(`session:${sessionId}`, { t: 'session-changed', session })
    if (!isCounted.has(sessionId)) publishRace(live, session.teamId, [sessionId])
  }
  publishCountedRace(live, counted)
}
