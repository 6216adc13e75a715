import type { SessionId, UserId } from '#contract/ids.ts'
import type { stints } from '#contract/stints.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { setAutoPit } from './autoPit.ts'
import { addStint, setCar } from './changeStints.ts'
import { editStints, removeStint } from './editStints.ts'
import { setRace } from './joinRace.ts'
import { raceForReader } from './raceOfSession.ts'

export function stintCalls(context: AppContext): HandlersOf<typeof stints, Caller> {
  const raceAfter = async (
    change: Promise<void>,
    { sessionId }: { sessionId: SessionId },
    { userId }: { userId: UserId },
  ) => {
    await change
    return raceForReader(context.db, { sessionId, userId }, context.clock.now())
  }
  return {
    ofSession: ({ input, caller }) =>
      raceForReader(
        context.db,
        { sessionId: input.sessionId, userId: caller.userId },
        context.clock.now(),
      ),

    add: ({ input, caller }) => raceAfter(addStint(context, caller.userId, input), input, caller),

    edit: ({ input, caller }) =>
      raceAfter(editStints(context, caller.userId, input), input, caller),

    remove: ({ input, caller }) =>
      raceAfter(removeStint(context, caller.userId, input), input, caller),

    setAutoPit: ({ input, caller }) =>
      raceAfter(setAutoPit(context, caller.userId, input), input, caller),

    setRace: ({ input, caller }) =>
      raceAfter(setRace(context, caller.userId, input), input, caller),

    setCar: ({ input, caller }) => raceAfter(setCar(context, caller.userId, input), input, caller),
  }
}
