import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Stint } from '#contract/carRaces.ts'
import type { DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { StintEdit } from '#contract/stints.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireDriverOfTeam } from '../roster/rosterChecks.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import { keptDriverAt, removedAtOf } from './carEntries.ts'
import { changeCarEntries, idsOf, type LockedCar } from './changeCarEntries.ts'
import { mergedCorrection } from './mergedCorrection.ts'
import { storedCarRace } from './storedCarRace.ts'
import { isKnown, requireRoom, startWithin, storeStint } from './storedStints.ts'

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
 * Removes a stint with its repetitions, at a time in the past or now: the one before it continues. Its row stays, so that a
 * late repetition does not add it again.
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
  const stint = { sessionId, id, driverId, from: startWithin(car, from, now) }
  await storeStint(trx, { ...stint, byHand: true })
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
    if (entry && removedAtOf(entry) === null && entry.driver_id === wanted.driverId) return false
    throw new Refusal('not-found')
  }
  const { sessionId } = current
  const { driverId, from } = mergedCorrection(valuesOf(current), valuesOf(wanted), was)
  await requireDriverOfTeam(trx, car.session.team_id, driverId)
  const corrected = { sessionId, id, driverId, byHand: true }
  if (from === current.from) {
    if (driverId === current.driverId) return false
    if (!entry?.by_hand) await keepAsEntered(trx, car, current, entry, now)
    const enteredAt = entry?.from_at?.getTime() ?? null
    await replace(trx, entry, {
      ...corrected,
      // One that was entered on the track stays in its stop.
      from: enteredAt === null || index === 0 ? enteredAt : from,
    })
    return true
  }
  if (index === 0) throw new Refusal('invalid-input', { fields: { from: 'stint-first' } })
  const before = stints[index - 1]?.from ?? Number.NEGATIVE_INFINITY
  const after = stints[index + 1]?.from ?? Number.POSITIVE_INFINITY
  startWithin(car, from, now)
  if (from <= before || from >= after || from > now)
    throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
  if (!entry?.by_hand) await keepAsEntered(trx, car, current, entry, now)
  await replace(trx, entry, { ...corrected, from })
  return true
}

/** Stores what a stint was before its correction, so that its repetitions add nothing, whenever they arrive. */
async function keepAsEntered(
  trx: Transaction<Tables>,
  car: LockedCar,
  { sessionId, driverId, from }: Stint,
  entry: StoredEntry,
  removedAt: EpochMs,
) {
  // The correction replaces the entry, if there is one.
  await requireRoom(trx, car, entry ? 1 : 2)
  await storeStint(trx, { sessionId, id: randomUUID(), driverId, from, byHand: false, removedAt })
}

async function remove(
  trx: Transaction<Tables>,
  car: LockedCar,
  { stintId: id, was }: Edit<'remove'>,
  now: EpochMs,
  removedAt: EpochMs,
): Promise<boolean> {
  const { stints } = await storedCarRace(trx, car.session, now)
  const [first] = stints
  // The one that began with the phone; below one that was entered before the car moved there is another one.
  if (first?.id === id && idsOf(car).includes(id))
    throw new Refusal('invalid-input', { fields: { stintId: 'stint-first' } })
  const stored = stints.find(each => each.id === id)
  if (was && stored && (stored.driverId !== was.driverId || stored.from !== was.from))
    throw new Refusal('invalid-input', { detail: 'entry-changed' })
  const entry = await entryOf(trx, car, id)
  if (entry && keepsDriver(entry)) {
    // Removed as a stint it would undo changes of its stop.
    const { session_id } = entry
    await trx
      .deleteFrom('stints')
      .where('session_id', '=', session_id)
      .where('id', '=', id)
      .execute()
    return true
  }
  if (entry?.from_at) {
    const { session_id: sessionId, driver_id: driverId, from_at, by_hand: byHand } = entry
    const removedBefore = removedAtOf(entry)
    const latest = Math.max(removedBefore ?? removedAt, removedAt)
    const values = { driverId, from: from_at.getTime(), byHand, removedAt: latest }
    await storeStint(trx, { sessionId, id, ...values })
    return removedBefore === null
  }
  if (!stored) return false
  if (!entry) await requireRoom(trx, car)
  // It followed from a run: its repetitions are known by its driver and its start.
  await replace(trx, entry, { ...stored, byHand: false, removedAt })
  return true
}

/** Stores a correction in place of an entry. Its driver may be known by another session than that of the entry. */
async function replace(
  trx: Transaction<Tables>,
  entry: StoredEntry,
  stint: Parameters<typeof storeStint>[1],
) {
  if (entry && entry.session_id !== stint.sessionId)
    await trx
      .deleteFrom('stints')
      .where('session_id', '=', entry.session_id)
      .where('id', '=', stint.id)
      .execute()
  await storeStint(trx, stint)
}

type StoredEntry = Awaited<ReturnType<typeof entryOf>>

/** Reads the entry of a car with this id; undefined if there is none, as for a stint that follows from a run. */
function entryOf(trx: Transaction<Tables>, car: LockedCar, id: StintId) {
  return trx
    .selectFrom('stints')
    .selectAll()
    .where(isOneOf('session_id', idsOf(car)))
    .where('id', '=', id)
    .executeTakeFirst()
}

function keepsDriver(entry: NonNullable<StoredEntry>): boolean {
  const from = entry.from_at?.getTime() ?? null
  return keptDriverAt({ from, removedAt: removedAtOf(entry), byHand: entry.by_hand }) !== null
}

function valuesOf({ driverId, from }: { driverId: DriverId | null; from: EpochMs }) {
  return { driverId, from }
}
