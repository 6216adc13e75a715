import type { CarId, DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxStints } from '#contract/shared/racing/stintRules.ts'
import type { AppContext } from '../context.ts'
import { raceToJoin } from '../races/joinRace.ts'
import { changeSession, type LockedSession } from './changeSession.ts'
import { requireCar, requireDriverOfTeam } from './roster/named.ts'
import { stintsOf } from './storedStints.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

interface ChangedStint {
  sessionId: SessionId
  stintId: StintId
  driverId: DriverId | null
  from?: EpochMs | undefined
}

/**
 * Starts a stint now, or at a time of the session: then it ends where the next one starts. Idempotent by the id, also
 * after the stint was changed or removed.
 */
export async function addStint(context: Context, userId: UserId, stint: ChangedStint) {
  const { sessionId, stintId: id, driverId } = stint
  await changeSession(context, userId, sessionId, async (trx, session) => {
    const { stored } = await trx
      .selectFrom('stints')
      .select(eb => eb.fn.countAll<string | number>().as('stored'))
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    const known = await trx
      .selectFrom('stints')
      .select('id')
      .where('session_id', '=', sessionId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (known || id === sessionId) return
    if (Number(stored) >= maxStints)
      throw new Refusal('invalid-input', { detail: 'stints-too-many' })
    await requireDriverOfTeam(trx, session.team_id, driverId)
    const at = startWithin(session, stint.from, context.clock.now())
    const from = new Date(at)
    await trx
      .insertInto('stints')
      .values({ session_id: sessionId, id, driver_id: driverId, from_at: from })
      .execute()
  })
}

/** Corrects the driver of a stint, or its start, which stays between those of its neighbours. */
export async function changeStint(context: Context, userId: UserId, stint: ChangedStint) {
  const { sessionId, stintId: id, driverId, from } = stint
  await changeSession(context, userId, sessionId, async (trx, session) => {
    const stints = await stintsOf(trx, session)
    const index = stints.findIndex(each => each.id === id)
    const current = stints[index]
    if (!current) throw new Refusal('not-found')
    if (driverId !== current.driverId) await requireDriverOfTeam(trx, session.team_id, driverId)
    const at = from ?? current.from
    if (index === 0 && at !== current.from)
      throw new Refusal('invalid-input', { fields: { from: 'stint-first' } })
    const before = stints[index - 1]?.from ?? Number.NEGATIVE_INFINITY
    const after = stints[index + 1]?.from ?? Number.POSITIVE_INFINITY
    if (index > 0 && at !== current.from) {
      startWithin(session, at, context.clock.now())
      if (at <= before || at >= after || at > context.clock.now())
        throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
    }
    const values = { driver_id: driverId, from_at: new Date(at) }
    await trx
      .insertInto('stints')
      .values({ session_id: sessionId, id, ...values })
      .onConflict(conflict => conflict.columns(['session_id', 'id']).doUpdateSet(values))
      .execute()
  })
}

/** Removes a stint: the one before it continues. Its row stays, so that a late repetition does not add it again. */
export async function removeStint(
  context: Context,
  userId: UserId,
  { sessionId, stintId }: { sessionId: SessionId; stintId: StintId },
) {
  await changeSession(context, userId, sessionId, async trx => {
    if (stintId === sessionId)
      throw new Refusal('invalid-input', { fields: { stintId: 'stint-first' } })
    await trx
      .updateTable('stints')
      .set({ removed_at: new Date(context.clock.now()) })
      .where('session_id', '=', sessionId)
      .where('id', '=', stintId)
      .where('removed_at', 'is', null)
      .execute()
  })
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

/** Returns when a stint starts. Refuses a time outside its session. */
function startWithin(
  { date_started, date_ended }: LockedSession,
  from: EpochMs | undefined,
  now: EpochMs,
): EpochMs {
  const at = Math.min(from ?? now, now)
  if (at <= date_started.getTime() || (date_ended && at >= date_ended.getTime()))
    throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
  return at
}
