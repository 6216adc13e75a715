import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { stayWithin } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { deletePositions } from '../telemetry/deletePositions.ts'
import { requireDriver, requireSession } from './sessions.ts'

/**
 * Deletes a session's positions, for its driver, also after its end. The dot goes from the team's maps; of
 * a session that goes on it is back with the next fix. Refuses `not-a-member`, `not-the-driver`, `too-many`,
 * `not-ready`.
 */
export async function deleteSessionHistory(parts: Parts, sessionId: SessionId, userId: UserId) {
  await requireDriver(parts.db, sessionId, userId)
  return { deleted: await deleteOf(parts, userId, sessionId) }
}

/** The same for every session that a user has driven, also in teams that they have left. */
export async function deleteUserHistory(parts: Parts, userId: UserId) {
  return { deleted: await deleteOf(parts, userId) }
}

async function deleteOf(parts: Parts, userId: UserId, sessionId?: SessionId): Promise<number> {
  const { db, recorder, live } = parts
  const hourMs = 60 * 60 * 1000
  await stayWithin(db, { what: 'delete-history', of: userId, limit: 60, windowMs: hourMs })
  // What this node still holds would be stored after, and its snapshots would show it.
  if (!(await recorder.flush())) throw new Refusal('not-ready')
  const { deleted, active } = await deletePositions(db, { userId, sessionId })
  for (const id of active) {
    const session = await requireSession(db, recorder, id, userId)
    live.publish(`session:${id}`, { t: 'session-changed', session })
  }
  return deleted
}
