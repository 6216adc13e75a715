import type { DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import { requireActiveDriver } from '../roster/rosterChecks.ts'
import { enteredDriver, recordCarChange } from '../teams/recordCarChange.ts'
import { changeCarEntries } from './changeCarEntries.ts'
import { storedCarRace } from './storedCarRace.ts'
import { isKnown, startWithin, storeStint } from './storedStints.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

interface DriverChange {
  sessionId: SessionId
  stintId: StintId
  driverId: DriverId | null
  from?: EpochMs | undefined
}

/** Enters that the driver stayed in the car at a stop. Idempotent by the id. */
export async function keepDriver(
  context: Context,
  userId: UserId,
  { sessionId, stintId: id, at }: { sessionId: SessionId; stintId: StintId; at: EpochMs },
) {
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    if (await isKnown(trx, car, id)) return
    const from = startWithin(car, at, context.clock.now())
    const kept = { driverId: null, from, removedAt: from, byHand: true }
    await storeStint(trx, { sessionId, id, ...kept, byUserId: userId })
  })
}

/**
 * Changes the driver now, or at a time of the car's race: the stint ends where the next one starts. Idempotent by the id,
 * also after the stint was changed or removed. The same change entered twice, such as on the wall, on a phone without a
 * network and by the session of the next driver, is one stint from the earlier time on, or none if it has been undone
 * since. Each entry is stored as it is made, and `stintSequence` compares them, so the order of arrival does not matter.
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
    const entry = { sessionId, id, driverId, from, byHand: false }
    await storeStint(trx, { ...entry, byUserId: userId })
    const { stints } = await storedCarRace(trx, car.session, now)
    if (!stints.some(stint => stint.id === id)) return
    const made = { sessionId, actorId: userId, at: now, ...(await enteredDriver(trx, entry)) }
    await recordCarChange(trx, { ...made, kind: 'driver-changed' })
  })
}
