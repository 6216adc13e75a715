import type { Kysely } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { forgetStops } from '../circuits/forgetStops.ts'
import type { AppContext, LapUpdates } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { deleteLaps } from '../laps/storedLaps.ts'
import type { Live } from '../live/publish/live.ts'
import { refusePractice } from '../rights/requireSession.ts'
import type { Recorder } from '../telemetry/recorder.ts'
import { changeSettings, publishSettings } from './sharedSettings.ts'

/** The parts of the server that are notified of a change of lap timing. */
export interface LapTimingContext extends Pick<AppContext, 'db'> {
  live: Pick<Live, 'publish'>
  recorder: Pick<Recorder, 'latest'>
  laps: Pick<LapUpdates, 'update'>
}

/**
 * Turns lap timing of a car on or off, or of an ended session. Off deletes its laps, on computes them again from the
 * stored positions. Refuses with `not-a-member`, viewers with `view-only`, and a practice car.
 */
export async function setLapTiming(
  context: LapTimingContext,
  userId: UserId,
  { sessionId, lapTiming }: { sessionId: SessionId; lapTiming: boolean },
): Promise<Session> {
  const { db, live, laps } = context
  const sessions = await changeSettings(db, userId, sessionId, async (trx, ids) => {
    refusePractice(await markOf(trx, sessionId))
    await storeLapTiming(trx, ids, lapTiming)
  })
  const session = await publishSettings(context, userId, { sessionId, sessions })
  for (const id of sessions) {
    live.publish(`session:${id}`, { t: 'laps-changed', session: id })
    live.publish(`session:${id}`, { t: 'race-changed', team: session.teamId, session: id })
    laps.update(id)
  }
  return session
}

function markOf(trx: Kysely<Tables>, sessionId: SessionId) {
  return trx
    .selectFrom('sessions')
    .select('practice')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
}

/** Turns lap timing of sessions on or off, which are locked: a node that stores their laps at the moment does so too. */
export async function storeLapTiming(
  trx: Kysely<Tables>,
  sessions: readonly SessionId[],
  lapTiming: boolean,
) {
  await trx
    .updateTable('sessions')
    .set({ lap_timing: lapTiming })
    .where(isOneOf('id', sessions))
    .execute()
  if (lapTiming) await forgetStops(trx, sessions)
  else for (const id of sessions) await deleteLaps(trx, id)
}
