import type { Kysely } from 'kysely'
import type { DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { carVisits } from '#racing/race/carVisits.ts'
import { sameChange } from '#racing/race/sameChange.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireActiveDriver } from '../roster/rosterChecks.ts'
import { enteredDriver, recordCarChange } from '../teams/recordCarChange.ts'
import { changeCarEntries, idsOf, type LockedCar } from './changeCarEntries.ts'
import { storedCarRace } from './storedCarRace.ts'
import { isKnown, startWithin, storeStint } from './storedStints.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

interface DriverChange {
  sessionId: SessionId
  stintId: StintId
  driverId: DriverId | null
  from?: EpochMs | undefined
}

/**
 * Changes the driver now, or at a time of the car's race: the stint ends where the next one starts. Idempotent by the id,
 * also after the stint was changed or removed. The same change entered twice, such as on the wall, on a phone without a
 * network and by the session of the next driver, is one stint from the earlier time on, or none if it has been undone
 * since.
 */
export async function addStint(
  context: Context,
  userId: UserId,
  { sessionId, stintId: id, driverId, from: wantedMs }: DriverChange,
) {
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    if (await isKnown(trx, car, id)) return
    await requireActiveDriver(trx, car.session.team_id, driverId)
    const now = context.clock.now()
    const from = startWithin(car, wantedMs ?? now, now)
    const entry = { sessionId, id, driverId, from }
    const race = await storedCarRace(trx, car.session, now)
    const visits = carVisits(race.phones, race.runs)
    const starterId = race.phones.find(phone => phone.sessionId === sessionId)?.starterId ?? null
    const change = { sessionId, driverId: driverId ?? starterId, from }
    const stored = sameChange(race.stints, change, visits)
    const same = stored ?? sameChange(await undoneSince(trx, car, entry), change, visits)
    if (!same) {
      await storeStint(trx, { ...entry, byUserId: userId })
      const made = { sessionId, actorId: userId, at: now, ...(await enteredDriver(trx, entry)) }
      await recordCarChange(trx, { ...made, kind: 'driver-changed' })
      return
    }
    // The row stays, so that a late repetition adds nothing and its removal finds the other entry.
    const merged = { removedAt: now, mergedInto: same.id, from: Math.max(from, same.from) }
    await storeStint(trx, { ...entry, ...merged })
    if (stored && from < stored.from) await storeStint(trx, { ...stored, from })
  })
}

interface Change {
  readonly sessionId: SessionId
  readonly driverId: DriverId | null
  readonly from: EpochMs
}

/** Reads the stints of a driver that were removed after a time, in order of time. */
async function undoneSince(trx: Kysely<Tables>, car: LockedCar, { driverId, from }: Change) {
  const rows = await trx
    .selectFrom('stints')
    .select(['session_id', 'id', 'from_at'])
    .where(isOneOf('session_id', idsOf(car)))
    .where('driver_id', 'is not distinct from', driverId)
    .where('removed_at', '>', new Date(from))
    .where('merged_into', 'is', null)
    .where('from_at', 'is not', null)
    .orderBy('from_at')
    .execute()
  return rows.flatMap(({ session_id, id, from_at }) =>
    from_at ? [{ sessionId: session_id, id, driverId, from: from_at.getTime() }] : [],
  )
}
