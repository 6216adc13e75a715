import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { requireDriver } from '../rights/requireSession.ts'
import { sessionOf } from '../sessions/sessions.ts'
import {
  beginDeletion,
  deleteNextPositions,
  type PositionDeletion,
} from '../telemetry/deletePositions.ts'
import { publishCar } from './runs.ts'

/** Response deadline; the deletion continues in the background after it. */
const responseDeadlineMs = 4000

interface Deleted {
  deleted: number
  /** Whether the rest is being deleted in the background. */
  continues: boolean
}

/**
 * Deletes a session's positions, for its driver, also after its end, and its laps if they want. The dot disappears
 * from the team's maps until the next fix, if the session goes on. Refuses with `not-a-member`, `not-the-driver`,
 * `too-many` or `not-ready`.
 */
export async function deleteSessionPositions(
  context: AppContext,
  { sessionId, withLaps }: { sessionId: SessionId; withLaps: boolean },
  userId: UserId,
) {
  await requireDriver(context.db, sessionId, userId)
  const deleted = await deleteOf(context, userId, { sessionId, withLaps })
  // Without positions the circuit is not shown any more, even if the laps stay.
  context.live.publish(`session:${sessionId}`, { t: 'laps-changed', session: sessionId })
  if (withLaps) await publishCar(context, sessionId, { changed: [sessionId] })
  return deleted
}

/** The same for every session that a user has driven, including teams that they have left. The laps stay. */
export async function deleteUserPositions(context: AppContext, userId: UserId) {
  return deleteOf(context, userId)
}

async function deleteOf(
  context: AppContext,
  userId: UserId,
  chosen: { sessionId?: SessionId; withLaps?: boolean } = {},
): Promise<Deleted> {
  const { db, clock, recorder, live } = context
  // Fixes still in this node's queue would be stored after the deletion, and its snapshots would show them.
  if (!(await recorder.flush())) throw new Refusal('not-ready')
  const { deletions, active, ...begun } = await beginDeletion(db, {
    userId,
    ...chosen,
    now: clock.now(),
  })
  for (const id of active) {
    const session = await sessionOf(db, recorder, id)
    live.publish(`session:${id}`, { t: 'session-changed', session })
  }
  const rest = await deletePortions(context, deletions, clock.monotonicMs() + responseDeadlineMs)
  return { deleted: begun.deleted + rest.deleted, continues: rest.continues }
}

/**
 * Deletes until a deadline, then continues in the background. The next scheduled job finishes a failed
 * deletion.
 */
async function deletePortions(
  context: Pick<AppContext, 'db' | 'clock' | 'log'>,
  deletions: PositionDeletion[],
  untilMs: number,
): Promise<Deleted> {
  const { db, clock, log } = context
  let deleted = 0
  for (const [index, deletion] of deletions.entries()) {
    for (;;) {
      const count = await deleteNextPositions(db, deletion)
      deleted += count
      if (count === 0) break
      if (clock.monotonicMs() < untilMs) continue
      deletePortions(context, deletions.slice(index), Number.POSITIVE_INFINITY).catch(
        (error: unknown) => log.warn({ err: error }, 'failed to delete positions, will retry'),
      )
      return { deleted, continues: true }
    }
  }
  return { deleted, continues: false }
}
