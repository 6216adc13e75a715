import type { laps } from '#contract/laps.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { sessionForMember } from '../sessions/sessions.ts'
import { lapTable } from './lapTable.ts'

export function lapCalls(context: AppContext): HandlersOf<typeof laps, Caller> {
  return {
    async list({ input: { sessionId }, caller }) {
      const { db, recorder } = context
      return lapTable(context, await sessionForMember(db, recorder, sessionId, caller.userId))
    },
  }
}
