import type { fills } from '#contract/fills.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { addFill, changeFill, fillsOf, removeFill, setStartFuel } from './fills.ts'

export function fillCalls(context: AppContext): HandlersOf<typeof fills, Caller> {
  const { db } = context
  return {
    async add({ input, caller }) {
      await addFill(context, caller.userId, input)
      return fillsOf(db, input.sessionId)
    },

    async change({ input, caller }) {
      await changeFill(context, caller.userId, input)
      return fillsOf(db, input.sessionId)
    },

    async remove({ input, caller }) {
      await removeFill(context, caller.userId, input)
      return fillsOf(db, input.sessionId)
    },

    async setStart({ input, caller }) {
      await setStartFuel(context, caller.userId, input)
      return fillsOf(db, input.sessionId)
    },
  }
}
