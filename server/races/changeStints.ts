import type { Kysely } from 'kysely'
import type { CarId, DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { sameChange } from '#racing/race/sameChange.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedVisits } from '../laps/storedVisits.ts'
import { requireActiveDriver, requireCar } from '../roster/rosterChecks.ts'
import { changeSession } from './changeSession.ts'
import { raceToJoin } from './joinRace.ts'
import { isKnown, startWithin, stintsOf, storeStint } from './storedStints.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

interface DriverChange {
  sessionId: SessionId
  stintId: StintId
  driverId: DriverId | null
  from?: EpochMs | undefined
}

/**
 * Changes the driver now, or at a time of the session: the stint ends where the next one starts. Idempotent by the id,
 * also after the stint was changed or removed. The same change entered twice, such as on the wall and on a phone
 * without a network, is one stint from the earlier time on, or none if it has been undone since.
 */
export async function addStint(context: Context, userId: UserId, change: DriverChange) {
  const { sessionId, stintId: id, driverId } = change
  await changeSession(context, userId, sessionId, async (trx, session) => {
    if (await isKnown(trx, { sessionId, id })) return
    await requireActiveDriver(trx, session.team_id, driverId)
    const now = context.clock.now()
    const from = startWithin(session, change.from ?? now, now)
    const visits = await storedVisits(trx, sessionId)
    const stored = sameChange(await stintsOf(trx, session), { driverId, from }, visits)
    const same =
      stored ?? sameChange(await undoneSince(trx, change, from), { driverId, from }, visits)
    if (!same) {
      await storeStint(trx, { sessionId, id, driverId, from })
      return
    }
    // The row stays, so that a late repetition adds nothing and its removal finds the other entry.
    const merged = { removedAt: now, mergedInto: same.id, from: Math.max(from, same.from) }
    await storeStint(trx, { sessionId, id, driverId, ...merged })
    if (stored && from < stored.from) await storeStint(trx, { ...stored, sessionId, from })
  })
}

/** Reads the stints of a driver that were removed after a time, in order of time. */
async function undoneSince(
  trx: Kysely<Tables>,
  { sessionId, driverId }: DriverChange,
  fromMs: EpochMs,
) {
  const rows = await trx
    .selectFrom('stints')
    .select(['id', 'from_at'])
    .where('session_id', '=', sessionId)
    .where('driver_id', 'is not distinct from', driverId)
    .where('removed_at', '>', new Date(fromMs))
    .where('merged_into', 'is', null)
    .orderBy('from_at')
    .execute()
  return rows.map(({ id, from_at }) => ({ id, driverId, from: from_at.getTime() }))
}

/** Sets the car of a session, or none. An active session drives the race of its car. */
export async function setCar(
  context: Context,
  userId: UserId,
  { sessionId, carId }: { sessionId: SessionId; carId: CarId | null },
) {
  await changeSession(context, userId, sessionId, async (trx, { team_id: teamId, date_ended }) => {
    await requireCar(trx, teamId, carId)
    const race = date_ended ? {} : { race_id: await raceToJoin(trx, { teamId, carId }) }
    await trx
      .updateTable('sessions')
      .set({ car_id: carId, ...race })
      .where('id', '=', sessionId)
      .execute()
  })
}
