import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session, sessions } from '#contract/sessions.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import type { LapReference } from '#contract/shared/lapKinds.ts'
import type { AppContext, Caller } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireReader } from '../rights/requireMember.ts'
import {
  requireDriver,
  requireSessionReader,
  requireStillSessionEditor,
} from '../rights/requireSession.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { dataLinkLog, setDataLink } from './dataLink.ts'
import { setLapTiming } from './lapTiming.ts'
import { listSessions } from './listSessions.ts'
import { savePhoneState } from './phone.ts'
import { activeSessions, endedSessions, practiceCar, sessionForReader } from './sessions.ts'
import { changeSettings, publishSettings, requireActive } from './sharedSettings.ts'

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
    async dataLinkLog({ input: { sessionId }, caller }) {
      await requireSessionReader(db, sessionId, caller.userId)
      return dataLinkLog(db, sessionId)
    },

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

/** Sets how long a message to the car waits until it expires; null: for ever. Only while the session is active. */
async function setExpiry(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  { sessionId, expireAfterS }: { sessionId: SessionId; expireAfterS: number | null },
): Promise<Session> {
  const sessions = await changeSettings(context.db, userId, sessionId, async (trx, ids) => {
    await requireActive(trx, sessionId)
    await trx
      .updateTable('sessions')
      .set({ expire_after_s: expireAfterS })
      .where(isOneOf('id', ids))
      .execute()
  })
  return publishSettings(context, userId, { sessionId, sessions })
}

/**
 * Sets the reference of the driver's lap in a car, also after the end. Refuses with `not-a-member`, or viewers with
 * `view-only`.
 */
async function setLapReference(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  {
    sessionId,
    lapReference,
    targetLapMs,
  }: { sessionId: SessionId; lapReference: LapReference; targetLapMs: number | null },
): Promise<Session> {
  const sessions = await changeSettings(context.db, userId, sessionId, async (trx, ids) => {
    await trx
      .updateTable('sessions')
      .set({ lap_reference: lapReference, target_lap_ms: targetLapMs })
      .where(isOneOf('id', ids))
      .execute()
  })
  return publishSettings(context, userId, { sessionId, sessions })
}

/** Renames a session, also after its end. Refuses with `not-a-member`, or viewers with `view-only`. */
async function renameSession(
  { db, live, recorder }: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  { sessionId, name }: { sessionId: SessionId; name: string },
): Promise<Session> {
  const session = await db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    await trx.updateTable('sessions').set({ name }).where('id', '=', sessionId).execute()
    return sessionForReader(trx, recorder, sessionId, userId)
  })
  live.publish(`team:${session.teamId}`, { t: 'session-changed', session })
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
}
