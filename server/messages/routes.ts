import type { messages } from '#contract/messages.ts'
import type { HandlersOf } from '../http/route.ts'
import type { Caller, Parts } from '../parts.ts'
import { requireSession } from '../sessions/sessions.ts'
import { MessageLimits } from './limits.ts'
import { messageLog } from './log.ts'
import { setMessage } from './messages.ts'

export function messageCalls(parts: Parts): HandlersOf<typeof messages, Caller> {
  const { db, recorder } = parts
  const limits = new MessageLimits(parts.clock)
  return {
    set: ({ input, caller }) => setMessage({ ...parts, limits }, caller.userId, input),

    async log({ input, caller }) {
      await requireSession(db, recorder, input.sessionId, caller.userId)
      return messageLog(db, input)
    },
  }
}
