import type { SessionId, UserId } from '#contract/ids.ts'
import { forgetStops } from '../circuits/forgetStops.ts'
import type { AppContext } from '../context.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'

/**
 * Times the laps of a session again if their timing has stopped. Idempotent. Refuses with `not-a-member`, and viewers
 * with `view-only`.
 */
export async function timeAgain(
  { db, laps }: Pick<AppContext, 'db' | 'laps'>,
  userId: UserId,
  sessionId: SessionId,
) {
  await db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    await forgetStops(trx, [sessionId])
  })
  laps.update(sessionId)
}
