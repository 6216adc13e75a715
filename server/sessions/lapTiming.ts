import type { SessionId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { forgetStops } from '../circuits/forgetStops.ts'
import type { AppContext, LapUpdates } from '../context.ts'
import { deleteLaps } from '../laps/storedLaps.ts'
import type { Live } from '../live/publish/live.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'
import type { Recorder } from '../telemetry/recorder.ts'
import { sessionForReader } from './sessions.ts'

/** The parts of the server that are notified of a change of lap timing. */
export interface LapTimingContext extends Pick<AppContext, 'db'> {
  live: Pick<Live, 'publish'>
  recorder: Pick<Recorder, 'latest'>
  laps: Pick<LapUpdates, 'update'>
}

/**
 * Turns lap timing of a session on or off, also after its end. Off deletes its laps, on computes them again from the
 * stored positions. Refuses with `not-a-member`, or viewers with `view-only`.
 */
export async function setLapTiming(
  { db, live, recorder, laps }: LapTimingContext,
  userId: UserId,
  { sessionId, lapTiming }: { sessionId: SessionId; lapTiming: boolean },
): Promise<Session> {
  const session = await db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    // Before the laps are deleted: a node that stores laps at the moment locks this row.
    await trx
      .updateTable('sessions')
      .set({ lap_timing: lapTiming })
      .where('id', '=', sessionId)
      .execute()
    if (lapTiming) await forgetStops(trx, [sessionId])
    else await deleteLaps(trx, sessionId)
    return sessionForReader(trx, recorder, sessionId, userId)
  })
  live.publish(`session:${sessionId}`, { t: 'session-changed', session })
  live.publish(`session:${sessionId}`, { t: 'laps-changed', session: sessionId })
  live.publish(`session:${sessionId}`, {
    t: 'race-changed',
    team: session.teamId,
    session: sessionId,
  })
  laps.update(sessionId)
  return session
}
