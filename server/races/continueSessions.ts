import type { Transaction } from 'kysely'
import type { EpochMs, RaceId, SessionId, TeamId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import { broughtToRaceMs } from '#contract/shared/raceRules.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { carryOver } from '../messages/carryOver.ts'
import { publishMessage } from '../messages/messages.ts'
import { beginBreak } from '../sessions/dataLink.ts'
import { requireRoomForSession } from '../sessions/requireRoom.ts'
import { sessionOf } from '../sessions/sessions.ts'
import { settingsOfCar } from '../sessions/sharedSettings.ts'
import { readPositions } from '../telemetry/readPositions.ts'
import { endedAt, publishEnded } from './endSession.ts'
import { publishCar } from './runs.ts'

/** A session that ended at the start of a race, and the one in which its phone goes on. */
export interface Continued {
  readonly from: SessionId
  readonly to: SessionId
  /** The message that was on the screen, as it is shown on. */
  readonly message: Message | null
}

/**
 * Ends sessions of ended races, and starts others in their place that belong to another race: the laps and entries of a
 * session are of one race. The new ones have the name, person, car, driver, settings and message of the old ones, and
 * begin `broughtToRaceMs` earlier. Publish the result after the commit. Refuses a team that has as many sessions as are stored.
 */
export async function continueSessions(
  trx: Transaction<Tables>,
  sessions: readonly SessionId[],
  { teamId, raceId, nowMs }: { teamId: TeamId; raceId: RaceId; nowMs: EpochMs },
): Promise<Continued[]> {
  if (sessions.length === 0) return []
  await requireRoomForSession(trx, teamId)
  const old = await trx
    .selectFrom('sessions')
    .select(['id', 'team_id', 'user_id', 'name', 'car_id', 'driver_id', 'positions_deleted_at'])
    .select(['circuit_id', 'circuit_version', ...settingsOfCar])
    .where(isOneOf('id', sessions))
    .orderBy('id')
    .execute()
  await trx.updateTable('sessions').set(endedAt(nowMs)).where(isOneOf('id', sessions)).execute()
  const continued: Continued[] = []
  for (const { id: from, ...same } of old) {
    const { id: to } = await trx
      .insertInto('sessions')
      .values({ ...same, race_id: raceId, date_started: new Date(nowMs - broughtToRaceMs) })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!same.data_link) await beginBreak(trx, to, new Date(nowMs - broughtToRaceMs))
    if (same.driver_id !== null)
      await trx
        .insertInto('stints')
        .values({ session_id: to, id: to, driver_id: same.driver_id })
        .execute()
    const message = await carryOver(trx, { from, to, since: null }, nowMs)
    continued.push({ from, to, message })
  }
  return continued
}

/** Publishes sessions that ended and were started, and gives the new ones the newest positions of the old ones. */
export async function publishContinued(
  context: Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>,
  teamId: TeamId,
  continued: readonly Continued[],
) {
  const { db, live, recorder, clock } = context
  const fromMs = clock.now() - broughtToRaceMs
  if (continued.length > 0) await recorder.flush()
  for (const { from, to, message } of continued) {
    for (const fix of await readPositions(
      db,
      { sessionId: from, from: fromMs },
      broughtToRaceMs / 100,
    )) {
      const { at, latitude: la, longitude: lo, speedKmh: v, accuracyM: ac, headingDeg: h } = fix
      recorder.record(to, { at, la, lo, v, ac, h, ...(fix.atArrival && { ar: true }) }, at)
    }
    publishEnded(live, teamId, from)
    const session = await sessionOf(db, recorder, to)
    live.publish(`team:${teamId}`, { t: 'session-started', session })
    if (message) publishMessage(live, to, message)
    await publishCar(context, from)
  }
}
