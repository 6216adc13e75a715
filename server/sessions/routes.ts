import type { z } from 'zod'
import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { sessions } from '#contract/sessions/sessions.ts'
import { defaultExpiryS } from '#contract/shared/messageExpiry.ts'
import type { AppContext, Caller } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { HandlersOf } from '../http/route.ts'
import { raceToJoin } from '../races/joinRace.ts'
import { enforceRateLimit } from '../rateLimit/sharedLimits.ts'
import { requireActiveDriver, requireCar } from '../stints/roster/rosterChecks.ts'
import { requireMember, requireReader, requireStillEditor } from '../teams/members.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { beginBreak, setDataLink } from './dataLink.ts'
import { deleteSessionPositions } from './deleteOwnPositions.ts'
import { endSession } from './endSession.ts'
import { setLapReference } from './lapReference.ts'
import { setLapTiming } from './lapTiming.ts'
import { listSessions } from './listSessions.ts'
import { savePhoneState } from './phone.ts'
import { renameSession } from './rename.ts'
import {
  activeSessions,
  endedSessions,
  requireDriver,
  sessionForEditor,
  sessionForMember,
} from './sessions.ts'

const minuteMs = 60_000

export function sessionCalls(context: AppContext): HandlersOf<typeof sessions, Caller> {
  const { db, clock, recorder } = context
  return {
    start: ({ input, caller }) => startSession(context, caller, input),

    get: ({ input, caller }) => sessionForMember(db, recorder, input.sessionId, caller.userId),

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
      // At this limit a day and a quarter of buffered fixes (`maxQueuedFixes`) uploads in three minutes.
      await enforceRateLimit(context, {
        what: 'store-fixes',
        key: caller.userId,
        limit: 120,
        windowMs: minuteMs,
      })
      const { historyDays } = context.config
      const result = await storeBufferedFixes(db, {
        sessionId,
        fixes,
        historyDays,
        now: clock.now(),
      })
      if (result.stored > 0) context.laps.update(sessionId, Math.min(...fixes.map(({ at }) => at)))
      return result
    },

    deletePositions: ({ input, caller }) => deleteSessionPositions(context, input, caller.userId),

    async reportPhoneState({ input: { sessionId, phone }, caller }) {
      const { dataLink } = await requireDriver(db, sessionId, caller.userId)
      if (!dataLink) throw new Refusal('data-link-off')
      await enforceRateLimit(context, {
        what: 'report-phone-state',
        key: caller.userId,
        limit: 60,
        windowMs: minuteMs,
      })
      await savePhoneState(context, sessionId, phone)
      return {}
    },

    setExpiry: ({ input, caller }) => setExpiry(context, caller.userId, input),
  }
}

type StartInput = z.output<typeof sessions.start.input>

async function startSession(
  context: AppContext,
  { userId, loginId }: Caller,
  { teamId, name, lapTiming, dataLink, carId, driverId }: StartInput,
) {
  const { db, clock, live, recorder, events } = context
  await enforceRateLimit(context, {
    what: 'start-session',
    key: userId,
    limit: 60,
    windowMs: 60 * minuteMs,
  })
  const { id } = await db
    .transaction()
    .execute(async trx => {
      await requireStillEditor(trx, teamId, userId)
      await requireCar(trx, teamId, carId)
      await requireActiveDriver(trx, teamId, driverId)
      const started = new Date(clock.now())
      const session = await trx
        .insertInto('sessions')
        .values({
          team_id: teamId,
          user_id: userId,
          name,
          status: 'Active',
          date_started: started,
          expire_after_s: defaultExpiryS,
          lap_timing: lapTiming,
          data_link: dataLink,
          car_id: carId,
          race_id: await raceToJoin(trx, { teamId, carId }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (!dataLink) await beginBreak(trx, session.id, started)
      if (driverId !== null)
        await trx
          .insertInto('stints')
          .values({
            session_id: session.id,
            id: session.id,
            driver_id: driverId,
            from_at: started,
          })
          .execute()
      return session
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) throw new Refusal('already-driving')
      throw error
    })
  const session = await sessionForMember(db, recorder, id, userId)
  live.publish(`team:${teamId}`, { t: 'session-started', session })
  const { startedAt } = session
  events.record({
    sessionId: id,
    kind: 'session-started',
    occurrence: startedAt,
    at: startedAt,
    byLogin: loginId,
  })
  return session
}

async function setExpiry(
  { db, live, recorder }: AppContext,
  userId: UserId,
  { sessionId, expireAfterS }: { sessionId: SessionId; expireAfterS: number },
) {
  const { status } = await sessionForEditor(db, recorder, sessionId, userId)
  if (status !== 'Active') throw new Refusal('session-ended')
  await db
    .updateTable('sessions')
    .set({ expire_after_s: expireAfterS })
    .where('id', '=', sessionId)
    .execute()
  const session = await sessionForMember(db, recorder, sessionId, userId)
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  return session
}
