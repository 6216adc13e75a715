import type { SessionId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import type { LapReference } from '#contract/shared/lapKinds.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { changeSettings, publishSettings } from './sharedSettings.ts'

/**
 * Sets the reference of the driver's lap in a car, also after the end. Refuses with `not-a-member`, or viewers with
 * `view-only`.
 */
export async function setLapReference(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  {
    sessionId,
    lapReference,
    targetLapMs,
  }: { sessionId: SessionId; lapReference: LapReference; targetLapMs: number | null },
): Promise<Session> {
  const sessions = await changeSettings(context.db, userId, sessionId, async (trx, ids) => {
    await trx
      .updateTable('sessions')
      .set({ lap_reference: lapReference, target_lap_ms: targetLapMs })
      .where(isOneOf('id', ids))
      .execute()
  })
  return publishSettings(context, userId, { sessionId, sessions })
}
