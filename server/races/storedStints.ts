import type { Kysely } from 'kysely'
import type { DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxStints } from '#contract/shared/stintRules.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { idsOf, type LockedCar, timesOf } from './changeCarEntries.ts'

/**
 * True if a car has, or had, an entry with this id. Refuses the id of a new one with `stints-too-many` if the car has no
 * room for it.
 */
export async function isKnown(trx: Kysely<Tables>, car: LockedCar, id: StintId): Promise<boolean> {
  const ids = idsOf(car)
  // The stint with which a session begins may have no row.
  if (ids.includes(id)) return true
  const known = await trx
    .selectFrom('stints')
    .select('id')
    .where(isOneOf('session_id', ids))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!known) await requireRoom(trx, car)
  return known !== undefined
}

/** Refuses with `stints-too-many` if the car has no room for `more` entries. */
export async function requireRoom(trx: Kysely<Tables>, car: LockedCar, more = 1) {
  const { stored } = await trx
    .selectFrom('stints')
    .select(eb => eb.fn.countAll<string | number>().as('stored'))
    .where(isOneOf('session_id', idsOf(car)))
    .executeTakeFirstOrThrow()
  if (Number(stored) + more > maxStints)
    throw new Refusal('invalid-input', { detail: 'stints-too-many' })
}

/** Returns when a stint starts, at the latest now. Refuses a time outside the race of its car. */
export function startWithin(car: LockedCar, from: EpochMs, now: EpochMs): EpochMs {
  const at = Math.min(from, now)
  const times = timesOf(car, now)
  if (at <= times.from || at > times.until || (at === times.until && times.until < now))
    throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
  return at
}

/** Stores an entry, or replaces all of it but the person who entered it. */
export async function storeStint(
  trx: Kysely<Tables>,
  {
    sessionId,
    id,
    driverId,
    from,
    byHand,
    removedAt = null,
    byUserId = null,
  }: {
    sessionId: SessionId
    id: StintId
    driverId: DriverId | null
    /** Null: it begins when the phone is in the car. */
    from: EpochMs | null
    byHand: boolean
    removedAt?: EpochMs | null
    /** The person who enters it; a correction does not change that. */
    byUserId?: UserId | null
  },
) {
  const values = {
    driver_id: driverId,
    from_at: from === null ? null : new Date(from),
    removed_at: removedAt === null ? null : new Date(removedAt),
    by_hand: byHand,
    merged_into: null,
  }
  await trx
    .insertInto('stints')
    .values({ session_id: sessionId, id, ...values, entered_by: byUserId })
    .onConflict(conflict => conflict.columns(['session_id', 'id']).doUpdateSet(values))
    .execute()
}

/**
 * Spare phones that are the first of their car in another race keep the driver of its phone that ended for it, unless
 * that one is not in the roster.
 */
export async function keepDrivers(
  trx: Kysely<Tables>,
  { spare, ended }: { spare: readonly SessionId[]; ended: readonly { id: SessionId }[] },
) {
  const drivers = await trx
    .selectFrom('sessions as before')
    .innerJoin('sessions as phone', 'phone.car_id', 'before.car_id')
    .select(['phone.id', 'before.driver_id'])
    .where(isOneOf('phone.id', spare))
    .where(
      isOneOf(
        'before.id',
        ended.map(({ id }) => id),
      ),
    )
    .where('before.driver_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions as other')
            .select('other.id')
            .whereRef('other.race_id', '=', 'phone.race_id')
            .whereRef('other.car_id', '=', 'phone.car_id')
            .where(({ not }) => not(isOneOf('other.id', spare))),
        ),
      ),
    )
    .orderBy('before.date_started', 'desc')
    .execute()
  for (const { id, driver_id } of drivers)
    await trx
      .updateTable('stints')
      .set({ driver_id, removed_at: null })
      .where('session_id', '=', id)
      .where('id', '=', id)
      .where('removed_at', 'is not', null)
      .execute()
}
