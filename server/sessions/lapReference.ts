import type { SessionId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import type { LapReference } from '#contract/shared/lapKinds.ts'
import type { AppContext } from '../context.ts'
import { requireSessionEditor } from '../rights/requireSession.ts'
import { sessionForReader } from './sessions.ts'

/**
 * Sets the reference of the driver's lap, also after the end. Refuses with `not-a-member`, or viewers with
 * `view-only`.
 */
export async function setLapReference(
  { db, live, recorder }: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  {
    sessionId,
    lapReference,
    targetLapMs,
  }: { sessionId: SessionId; lapReference: LapReference; targetLapMs: number | null },
): Promise<Session> {
  await requireSessionEditor(db, sessionId, userId)
  await db
    .updateTable('sessions')
    .set({ lap_reference: lapReference, target_lap_ms: targetLapMs })
    .where('id', '=', sessionId)
    .execute()
  const session = await sessionForReader(db, recorder, sessionId, userId)
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
}
