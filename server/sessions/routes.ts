import { Refusal } from '#contract/refusal.ts'
import type { sessions } from '#contract/sessions.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireReader } from '../rights/requireMember.ts'
import { requireDriver } from '../rights/requireSession.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { setDataLink } from './dataLink.ts'
import { setExpiry } from './expiry.ts'
import { setLapReference } from './lapReference.ts'
import { setLapTiming } from './lapTiming.ts'
import { listSessions } from './listSessions.ts'
import { savePhoneState } from './phone.ts'
import { renameSession } from './rename.ts'
import { activeSessions, endedSessions, practiceCar, sessionForReader } from './sessions.ts'

/** The calls of sessions, except those that change the race of the car. */
export function sessionCalls(
  context: AppContext,
): Omit<
  HandlersOf<typeof sessions, Caller>,
  'start' | 'startPractice' | 'end' | 'deletePositions'
> {
  const { db, clock, recorder } = context
  const { forMembers } = handlersOf(context)
  return {
    get: ({ input, caller }) => sessionForReader(db, recorder, input.sessionId, caller.userId),

    async listActive({ input, caller }) {
      await requireReader(db, input.teamId, caller.userId)
      return activeSessions(db, recorder, input.teamId)
    },

    practice: forMembers((db, { teamId }) => practiceCar(db, recorder, teamId)),
    listEnded: forMembers((_, { teamId }) => endedSessions(db, teamId)),
    list: forMembers(listSessions),
    setLapTiming: ({ input, caller }) => setLapTiming(context, caller.userId, input),
    setDataLink: ({ input, caller }) => setDataLink(context, caller.userId, input),
    setLapReference: ({ input, caller }) => setLapReference(context, caller.userId, input),
    rename: ({ input, caller }) => renameSession(context, caller.userId, input),

    async storeFixes({ input: { sessionId, fixes }, caller }) {
      const { status, dataLink } = await requireDriver(db, sessionId, caller.userId)
      // After the end, positions of other times may follow.
      if (status === 'Active' && !dataLink) throw new Refusal('data-link-off')
      const { historyDays } = context.config
      const result = await storeBufferedFixes(db, {
        sessionId,
        fixes,
        historyDays,
        now: clock.now(),
      })
      if (result.stored > 0) context.laps.update(sessionId, leastOf(fixes.map(({ at }) => at)))
      return result
    },

    async reportPhoneState({ input: { sessionId, phone }, caller }) {
      const { dataLink } = await requireDriver(db, sessionId, caller.userId)
      if (!dataLink) throw new Refusal('data-link-off')
      await savePhoneState(context, sessionId, phone)
      return {}
    },

    setExpiry: ({ input, caller }) => setExpiry(context, caller.userId, input),
  }
}
