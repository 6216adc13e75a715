import type { messages } from '#contract/messages.ts'
import type { HandlersOf } from '../http/route.ts'
import type { Caller, Parts } from '../parts.ts'
import { setMessage } from './messages.ts'

export function messageCalls(parts: Parts): HandlersOf<typeof messages, Caller> {
  return { set: ({ input, caller }) => setMessage(parts, caller.userId, input) }
}
