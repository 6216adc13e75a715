import type { laps } from '#contract/laps.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { lapTable } from './lapTable.ts'
import { markLap } from './markLap.ts'
import { timeAgain } from './timeAgain.ts'

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
