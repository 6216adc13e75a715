import type { SessionId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import type { AppContext } from '../context.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'
import { sessionForReader } from './sessions.ts'

/** Renames a session, also after its end. Refuses with `not-a-member`, or viewers with `view-only`. */
export async function renameSession(
  { db, live, recorder }: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  { sessionId, name }: { sessionId: SessionId; name: string },
): Promise<Session> {
  const session = await db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    await trx.updateTable('sessions').set({ name }).where('id', '=', sessionId).execute()
    return sessionForReader(trx, recorder, sessionId, userId)
  })
  live.publish(`team:${session.teamId}`, { t: 'session-changed', session })
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
}
