import type { SessionId, UserId } from '#contract/ids.ts'
import type { laps } from '#contract/laps.ts'
import { forgetStops } from '../circuits/forgetStops.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireSessionReader, requireStillSessionEditor } from '../rights/requireSession.ts'
import { lapTable } from './lapTable.ts'
import { markLap } from './markLap.ts'

export function lapCalls(context: AppContext): HandlersOf<typeof laps, Caller> {
  const { db } = context
  return {
    async list({ input: { sessionId, after }, caller }) {
      const session = await requireSessionReader(db, sessionId, caller.userId)
      return lapTable(context, session, after)
    },

    async timeAgain({ input: { sessionId }, caller }) {
      await timeAgain(context, caller.userId, sessionId)
      return lapTable(context, await requireSessionReader(db, sessionId, caller.userId))
    },

    async mark({ input, caller }) {
      await markLap(context, caller.userId, input)
      return lapTable(context, await requireSessionReader(db, input.sessionId, caller.userId))
    },
  }
}

/**
 * Times the laps of a session again if their timing has stopped. Idempotent. Refuses with `not-a-member`, and viewers
 * with `view-only`.
 */
async function timeAgain(
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
