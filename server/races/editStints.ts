import type { Transaction } from 'kysely'
import type { Stint } from '#contract/carRace.ts'
import type { DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { StintEdit } from '#contract/stints.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireDriverOfTeam } from '../roster/rosterChecks.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import { changeCarEntries, idsOf, type LockedCar } from './changeCarEntries.ts'
import { mergedCorrection } from './mergedCorrection.ts'
import { storedCarRace } from './storedCarRace.ts'
import { isKnown, startWithin, storeStint } from './storedStints.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

/** Corrects stints by hand: all steps in their order, or none. */
export async function editStints(
  context: Context,
  userId: UserId,
  { sessionId, edits }: { sessionId: SessionId; edits: readonly StintEdit[] },
) {
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    const now = context.clock.now()
    let isChanged = false
    for (const edit of edits) if (await apply(trx, car, edit, now)) isChanged = true
    const made = { sessionId, actorId: userId, at: now }
    if (isChanged) await recordCarChange(trx, { ...made, kind: 'stints-corrected' })
  })
}

/**
 * Removes a stint, or the one of which it is a second entry, at a time in the past or now: the one before it continues.
 * Its row stays, so that a late repetition does not add it again.
 */
export async function removeStint(
  context: Context,
  userId: UserId,
  { sessionId, stintId, at }: { sessionId: SessionId; stintId: StintId; at?: EpochMs | undefined },
) {
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    const now = context.clock.now()
    const edit = { kind: 'remove', stintId } as const
    const isRemoved = await remove(trx, car, edit, now, Math.min(at ?? now, now))
    const made = { sessionId, actorId: userId, at: now }
    if (isRemoved) await recordCarChange(trx, { ...made, kind: 'stints-corrected' })
  })
}

/** Returns whether a step changes the stints. */
async function apply(
  trx: Transaction<Tables>,
  car: LockedCar,
  edit: StintEdit,
  now: EpochMs,
): Promise<boolean> {
  switch (edit.kind) {
    case 'add':
      return add(trx, car, edit, now)
    case 'change':
      return change(trx, car, edit, now)
    case 'remove':
      return remove(trx, car, edit, now, now)
  }
}

type Edit<Kind extends StintEdit['kind']> = Extract<StintEdit, { kind: Kind }>

async function add(
  trx: Transaction<Tables>,
  car: LockedCar,
  { stintId: id, driverId, from }: Edit<'add'>,
  now: EpochMs,
): Promise<boolean> {
  const { id: sessionId, team_id } = car.session
  if (await isKnown(trx, car, id)) return false
  await requireDriverOfTeam(trx, team_id, driverId)
  await storeStint(trx, { sessionId, id, driverId, from: startWithin(car, from, now) })
  return true
}

async function change(
  trx: Transaction<Tables>,
  car: LockedCar,
  { stintId: id, was, ...wanted }: Edit<'change'>,
  now: EpochMs,
): Promise<boolean> {
  const { stints } = await storedCarRace(trx, car.session, now)
  const index = stints.findIndex(each => each.id === id)
  const current = stints[index]
  const entry = await entryOf(trx, car, id)
  if (!current) {
    // The driver before it drives on since this correction, which is repeated.
    if (entry && !entry.removed_at && entry.driver_id === wanted.driverId) return false
    throw new Refusal('not-found')
  }
  const { sessionId } = current
  const { driverId, from } = mergedCorrection(valuesOf(current), valuesOf(wanted), was)
  await requireDriverOfTeam(trx, car.session.team_id, driverId)
  if (from === current.from) {
    await storeStint(trx, { sessionId, id, driverId, from: entry?.from_at?.getTime() ?? null })
    return driverId !== current.driverId
  }
  if (index === 0) throw new Refusal('invalid-input', { fields: { from: 'stint-first' } })
  const before = stints[index - 1]?.from ?? Number.NEGATIVE_INFINITY
  const after = stints[index + 1]?.from ?? Number.POSITIVE_INFINITY
  startWithin(car, from, now)
  if (from <= before || from >= after || from > now)
    throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
  await storeStint(trx, { sessionId, id, driverId, from })
  return true
}

async function remove(
  trx: Transaction<Tables>,
  car: LockedCar,
  { stintId: id, was }: Edit<'remove'>,
  now: EpochMs,
  removedAt: EpochMs,
): Promise<boolean> {
  const { stints } = await storedCarRace(trx, car.session, now)
  if (stints[0]?.id === id)
    throw new Refusal('invalid-input', { fields: { stintId: 'stint-first' } })
  const stored = stints.find(each => each.id === id)
  if (was && stored && (stored.driverId !== was.driverId || stored.from !== was.from))
    throw new Refusal('invalid-input', { detail: 'entry-changed' })
  return removeEntry(trx, car, { id, stints }, removedAt)
}

/**
 * Removes a stint, or the one of which it is a second entry. If one of both was made after the removal, the
 * stint is kept and starts with that one. The stint becomes a second entry of the one that was removed, so that it comes
 * back if positions show later that it was made in another stop.
 */
async function removeEntry(
  trx: Transaction<Tables>,
  car: LockedCar,
  { id, stints }: { id: StintId; stints: readonly Stint[] },
  removedAt: EpochMs,
): Promise<boolean> {
  const removed_at = new Date(removedAt)
  const entry = await entryOf(trx, car, id)
  const isStint = stints.some(each => each.id === id)
  const target = isStint ? id : (entry?.merged_into ?? id)
  const { from_at } = await trx
    .selectFrom('stints')
    .select(eb => eb.fn.max<Date | null>('from_at').as('from_at'))
    .where(isOneOf('session_id', idsOf(car)))
    .where('merged_into', '=', target)
    .executeTakeFirstOrThrow()
  if (entry && target !== id)
    await trx
      .updateTable('stints')
      .set({ merged_into: null, removed_at })
      .where('session_id', '=', entry.session_id)
      .where('id', '=', id)
      .execute()
  const stint = stints.slice(1).find(each => each.id === target)
  // It was removed before, or it is the first one, which cannot be removed.
  if (!stint) return false
  if (from_at !== null && from_at > removed_at) {
    await storeStint(trx, { ...stint, from: from_at.getTime() })
    return true
  }
  const removed = { removed_at, merged_into: target === id ? null : id }
  // A stint that follows from a run may have no row.
  await trx
    .insertInto('stints')
    .values({ session_id: stint.sessionId, id: target, driver_id: null, from_at: null, ...removed })
    .onConflict(conflict => conflict.columns(['session_id', 'id']).doUpdateSet(removed))
    .execute()
  return true
}

/** Reads the entry of a car with this id; undefined if there is none, as for a stint that follows from a run. */
function entryOf(trx: Transaction<Tables>, car: LockedCar, id: StintId) {
  return trx
    .selectFrom('stints')
    .selectAll()
    .where(isOneOf('session_id', idsOf(car)))
    .where('id', '=', id)
    .executeTakeFirst()
}

function valuesOf({ driverId, from }: { driverId: DriverId | null; from: EpochMs }) {
  return { driverId, from }
}
