import type { SessionId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { changeSettings, publishSettings, requireActive } from './sharedSettings.ts'

/** Sets how long a message to the car waits until it expires; null: for ever. Only while the session is active. */
export async function setExpiry(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  { sessionId, expireAfterS }: { sessionId: SessionId; expireAfterS: number | null },
): Promise<Session> {
  const sessions = await changeSettings(context.db, userId, sessionId, async (trx, ids) => {
    await requireActive(trx, sessionId)
    await trx
      .updateTable('sessions')
      .set({ expire_after_s: expireAfterS })
      .where(isOneOf('id', ids))
      .execute()
  })
  return publishSettings(context, userId, { sessionId, sessions })
}
