import type { messages } from '#contract/messages.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { storeGotIt } from './gotIt.ts'
import { messageLog } from './log.ts'
import { MessageLimits } from './messageLimits.ts'
import { setMessage } from './messages.ts'

export function messageCalls(context: AppContext): HandlersOf<typeof messages, Caller> {
  const { db } = context
  const limits = new MessageLimits(context.clock)
  return {
    set: ({ input, caller, request }) =>
      setMessage({ ...context, limits, log: request.log }, caller.userId, input),

    gotIt: ({ input, caller }) => storeGotIt(context, caller.userId, input),

    async log({ input, caller }) {
      await requireSessionReader(db, input.sessionId, caller.userId)
      return messageLog(db, input)
    },
  }
}
