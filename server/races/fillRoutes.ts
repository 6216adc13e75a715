import type { fills } from '#contract/fills.ts'
import type { SessionId } from '#contract/ids.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { addFill, changeFill, fillsOf, removeFill, setStartFuel } from './fills.ts'

export function fillCalls(context: AppContext): HandlersOf<typeof fills, Caller> {
  const { changed } = handlersOf(context)
  const all = (db: AppContext['db'], { sessionId }: { sessionId: SessionId }) =>
    fillsOf(db, sessionId)
  return {
    add: changed(addFill, all),
    change: changed(changeFill, all),
    remove: changed(removeFill, all),
    setStart: changed(setStartFuel, all),
  }
}
