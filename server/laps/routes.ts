import type { laps } from '#contract/laps.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { sessionForReader } from '../sessions/sessions.ts'
import { lapTable } from './lapTable.ts'
import { markLap } from './markLap.ts'
import { timeAgain } from './timeAgain.ts'

export function lapCalls(context: AppContext): HandlersOf<typeof laps, Caller> {
  const { db, recorder } = context
  return {
    async list({ input: { sessionId, after }, caller }) {
      const session = await sessionForReader(db, recorder, sessionId, caller.userId)
      return lapTable(context, session, after)
    },

    async timeAgain({ input: { sessionId }, caller }) {
      await timeAgain(context, caller.userId, sessionId)
      return lapTable(context, await sessionForReader(db, recorder, sessionId, caller.userId))
    },

    async mark({ input, caller }) {
      await markLap(context, caller.userId, input)
      return lapTable(context, await sessionForReader(db, recorder, input.sessionId, caller.userId))
    },
  }
}
