import type { messages } from '#contract/messages.ts'
import type { HandlersOf } from '../http/route.ts'
import type { Caller, Parts } from '../parts.ts'
import { requireSession } from '../sessions/sessions.ts'
import { messageLog } from './log.ts'
import { setMessage } from './messages.ts'

export function messageCalls(parts: Parts): HandlersOf<typeof messages, Caller> {
  const { db, recorder } = parts
  return {
    set: ({ input, caller }) => setMessage(parts, caller.userId, input),

    async log({ input, caller }) {
      await requireSession(db, recorder, input.sessionId, caller.userId)
      return messageLog(db, input.sessionId)
    },
  }
}
