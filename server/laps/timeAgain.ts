import type { SessionId, UserId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { requireSessionReader } from '../sessions/sessions.ts'
import { forgetStops } from './storedStop.ts'

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
    const { teamId } = await requireSessionReader(trx, sessionId, userId)
    await requireStillEditor(trx, teamId, userId)
    await forgetStops(trx, [sessionId])
  })
  laps.update(sessionId)
}
