import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { requireSessionEditor } from '../rights/requireSession.ts'
import { sessionForReader } from './sessions.ts'

/** Sets how long a message of the session waits until it expires. Only while the session is active. */
export async function setExpiry(
  { db, live, recorder }: AppContext,
  userId: UserId,
  { sessionId, expireAfterS }: { sessionId: SessionId; expireAfterS: number },
) {
  const { status } = await requireSessionEditor(db, sessionId, userId)
  if (status !== 'Active') throw new Refusal('session-ended')
  await db
    .updateTable('sessions')
    .set({ expire_after_s: expireAfterS })
    .where('id', '=', sessionId)
    .execute()
  const session = await sessionForReader(db, recorder, sessionId, userId)
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
}
