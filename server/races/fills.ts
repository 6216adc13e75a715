import type { Kysely, Transaction } from 'kysely'
import type { Fill } from '#contract/fills.ts'
import type { EpochMs, FillId, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { type FillKind, maxFills } from '#contract/shared/fillRules.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import { fillsOfCar, storedFills } from './carEntries.ts'
import { changeCarEntries, idsOf, type LockedCar, timesOf } from './changeCarEntries.ts'
import { mergedCorrection } from './mergedCorrection.ts'
import { sessionsOfCar } from './phonesOfCar.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

interface FillName {
  sessionId: SessionId
  fillId: FillId
}

interface EnteredFill extends FillName {
  litres: number
  kind: Exclude<FillKind, 'start'>
  at?: EpochMs | undefined
}

type FillValues = Record<'litres' | 'kind', string | number | null> & Pick<Fill, 'litres' | 'kind'>

/** Reads the fills of the car of a session, in order of time. */
export async function fillsOf(db: Kysely<Tables>, sessionId: SessionId): Promise<Fill[]> {
  const sessions = await sessionsOfCar(db, sessionId)
  return fillsOfCar(sessions, await storedFills(db, sessions))
}

/** Stores a fill. Idempotent by the id, also after the fill was changed or removed. */
export async function addFill(context: Context, userId: UserId, fill: EnteredFill) {
  const { sessionId, fillId: id, litres, kind } = fill
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    refuseStart(car, fill)
    if (await storedFill(trx, car, id)) return
    const { stored } = await trx
      .selectFrom('fills')
      .select(eb => eb.fn.countAll<string | number>().as('stored'))
      .where(isOneOf('session_id', idsOf(car)))
      .executeTakeFirstOrThrow()
    if (Number(stored) >= maxFills) throw new Refusal('invalid-input', { detail: 'fills-too-many' })
    const at = timeWithin(car, fill.at ?? context.clock.now(), context.clock.now())
    await trx
      .insertInto('fills')
      .values({ session_id: sessionId, id, at, litres, kind, removed_at: null, entered_by: userId })
      .execute()
    await recordLitres(trx, context, userId, { sessionId, litres })
  })
}

/** Corrects a fill that was not removed. */
export async function changeFill(
  context: Context,
  userId: UserId,
  { was, ...fill }: EnteredFill & { was?: Pick<EnteredFill, 'litres' | 'kind'> | undefined },
) {
  const { sessionId, fillId } = fill
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    refuseStart(car, fill)
    const stored = await storedFill(trx, car, fillId)
    if (!stored || stored.removed_at) throw new Refusal('not-found')
    const at = fill.at === undefined ? stored.at : timeWithin(car, fill.at, context.clock.now())
    const { litres, kind } = mergedCorrection<FillValues>(
      { litres: stored.litres, kind: stored.kind },
      { litres: fill.litres, kind: fill.kind },
      was,
    )
    await trx
      .updateTable('fills')
      .set({ at, litres, kind, entered_by: userId })
      .where('session_id', '=', stored.session_id)
      .where('id', '=', fillId)
      .execute()
    const isSame = litres === stored.litres && kind === stored.kind
    if (isSame && at.getTime() === stored.at.getTime()) return
    await recordLitres(trx, context, userId, { sessionId, litres })
  })
}

/** Removes a fill. Its row stays, so that a late repetition does not add it again. */
export async function removeFill(
  context: Context,
  userId: UserId,
  { sessionId, fillId }: FillName,
) {
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    const { numUpdatedRows } = await trx
      .updateTable('fills')
      .set({ removed_at: new Date(context.clock.now()) })
      .where(isOneOf('session_id', idsOf(car)))
      .where('id', '=', fillId)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await recordLitres(trx, context, userId, { sessionId, litres: null })
  })
}

async function recordLitres(
  trx: Transaction<Tables>,
  { clock }: Context,
  actorId: UserId,
  { sessionId, litres }: { sessionId: SessionId; litres: number | null },
) {
  const made = { sessionId, actorId, at: clock.now() }
  await recordCarChange(
    trx,
    litres === null
      ? { ...made, kind: 'litres-removed' }
      : { ...made, kind: 'litres-entered', before: String(litres) },
  )
}

/** Sets the fuel at the start of the first session of the car; null removes it. */
export async function setStartFuel(
  context: Context,
  userId: UserId,
  {
    sessionId,
    litres,
    was,
  }: { sessionId: SessionId; litres: number | null; was?: number | null | undefined },
) {
  await changeCarEntries(context, userId, sessionId, async (trx, car) => {
    const stored = await trx
      .selectFrom('fills')
      .select('litres')
      .where(isOneOf('session_id', idsOf(car)))
      .where('kind', '=', 'start')
      .where('removed_at', 'is', null)
      .orderBy('at')
      .limit(1)
      .executeTakeFirst()
    const seen = was === undefined ? was : { litres: was }
    const merged = mergedCorrection({ litres: stored?.litres ?? null }, { litres }, seen)
    // Another person's value that this one did not change.
    if (merged.litres !== litres) return
    // A session may have had its own before it joined the race.
    await trx
      .updateTable('fills')
      .set({ removed_at: new Date(context.clock.now()) })
      .where(isOneOf('session_id', idsOf(car)))
      .where('kind', '=', 'start')
      .where('removed_at', 'is', null)
      .execute()
    if (litres !== (stored?.litres ?? null))
      await recordLitres(trx, context, userId, { sessionId, litres })
    const [{ id, date_started } = car.session] = car.phones
    if (litres === null) return
    const values = { at: date_started, litres, removed_at: null, entered_by: userId }
    await trx
      .insertInto('fills')
      .values({ session_id: id, id, kind: 'start', ...values })
      .onConflict(conflict => conflict.columns(['session_id', 'id']).doUpdateSet(values))
      .execute()
  })
}

function storedFill(trx: Transaction<Tables>, car: LockedCar, fillId: FillId) {
  return trx
    .selectFrom('fills')
    .select(['session_id', 'at', 'litres', 'kind', 'removed_at'])
    .where(isOneOf('session_id', idsOf(car)))
    .where('id', '=', fillId)
    .executeTakeFirst()
}

/** Only `setStartFuel` writes rows with the id of a session. */
function refuseStart(car: LockedCar, { fillId }: EnteredFill) {
  if (idsOf(car).includes(fillId))
    throw new Refusal('invalid-input', { fields: { fillId: 'not-valid' } })
}

/** Refuses a time outside the race of the car; one in the future is now. */
function timeWithin(car: LockedCar, atMs: EpochMs, nowMs: EpochMs): Date {
  const at = Math.min(atMs, nowMs)
  const { from, until } = timesOf(car, nowMs)
  if (at < from || at > until) throw new Refusal('invalid-input', { fields: { at: 'fill-time' } })
  return new Date(at)
}
