import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session, sessions } from '#contract/sessions.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import type { LapReference } from '#contract/shared/lapKinds.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireMember, requireReader } from '../rights/requireMember.ts'
import {
  requireDriver,
  requireSessionEditor,
  requireStillSessionEditor,
} from '../rights/requireSession.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { setDataLink } from './dataLink.ts'
import { deleteSessionPositions } from './deleteOwnPositions.ts'
import { endSession } from './endSession.ts'
import { setLapTiming } from './lapTiming.ts'
import { listSessions } from './listSessions.ts'
import { savePhoneState } from './phone.ts'
import { activeSessions, endedSessions, sessionForReader } from './sessions.ts'

/** The calls of sessions, except the start, which depends on the team's races and roster. */
export function sessionCalls(
  context: AppContext,
): Omit<HandlersOf<typeof sessions, Caller>, 'start'> {
  const { db, clock, recorder } = context
  return {
    get: ({ input, caller }) => sessionForReader(db, recorder, input.sessionId, caller.userId),

    async listActive({ input, caller }) {
      await requireReader(db, input.teamId, caller.userId)
      return activeSessions(db, recorder, input.teamId)
    },

    async listEnded({ input, caller }) {
      await requireMember(db, input.teamId, caller.userId)
      return endedSessions(db, input.teamId)
    },

    async list({ input, caller }) {
      await requireMember(db, input.teamId, caller.userId)
      return listSessions(db, input)
    },

    setLapTiming: ({ input, caller }) => setLapTiming(context, caller.userId, input),

    setDataLink: ({ input, caller }) => setDataLink(context, caller.userId, input),

    setLapReference: ({ input, caller }) => setLapReference(context, caller.userId, input),

    rename: ({ input, caller }) => renameSession(context, caller.userId, input),

    end: ({ input, caller }) => endSession(context, input.sessionId, caller.userId),

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

    deletePositions: ({ input, caller }) => deleteSessionPositions(context, input, caller.userId),

    async reportPhoneState({ input: { sessionId, phone }, caller }) {
      const { dataLink } = await requireDriver(db, sessionId, caller.userId)
      if (!dataLink) throw new Refusal('data-link-off')
      await savePhoneState(context, sessionId, phone)
      return {}
    },

    setExpiry: ({ input, caller }) => setExpiry(context, caller.userId, input),
  }
}

/** Sets how long a message of the session waits until it expires. Only while the session is active. */
async function setExpiry(
  { db, live, recorder }: AppContext,
  userId: UserId,
  { sessionId, expireAfterS }: { sessionId: SessionId; expireAfterS: number },
) {
  const { status } = await requireSessionEditor(db, sessionId, userId)
  if (status !== 'Active') throw new Refusal('session-ended')
  await db
    .updateTable('sessions')
    .set({ expire_after_s: expireAfterS })
    .where('id', '=', sessionId)
    .execute()
  const session = await sessionForReader(db, recorder, sessionId, userId)
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
}

/**
 * Sets the reference of the driver's lap, also after the end. Refuses with `not-a-member`, or viewers with
 * `view-only`.
 */
async function setLapReference(
  { db, live, recorder }: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  userId: UserId,
  {
    sessionId,
    lapReference,
    targetLapMs,
  }: { sessionId: SessionId; lapReference: LapReference; targetLapMs: number | null },
): Promise<Session> {
  await requireSessionEditor(db, sessionId, userId)
  await db
    .updateTable('sessions')
    .set({ lap_reference: lapReference, target_lap_ms: targetLapMs })
    .where('id', '=', sessionId)
    .execute()
  const session = await sessionForReader(db, recorder, sessionId, userId)
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
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
