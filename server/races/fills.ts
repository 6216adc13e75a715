import type { Kysely, Transaction } from 'kysely'
import type { Fill } from '#contract/fills.ts'
import type { EpochMs, FillId, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { type FillKind, maxFills } from '#contract/shared/fillRules.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { changeSession, type LockedSession } from './changeSession.ts'
import { mergedCorrection } from './mergedCorrection.ts'

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

/** Reads the fills of a session, in order of time. */
export async function fillsOf(db: Kysely<Tables>, sessionId: SessionId): Promise<Fill[]> {
  const rows = await db
    .selectFrom('fills')
    .leftJoin('users', 'users.id', 'fills.entered_by')
    .select(['fills.id', 'at', 'litres', 'kind', 'first_name', 'last_name'])
    .where('session_id', '=', sessionId)
    .where('removed_at', 'is', null)
    .orderBy('at')
    .orderBy('fills.id')
    .execute()
  return rows.map(({ id, at, litres, kind, first_name, last_name }) => {
    // No e-mail address: televisions read it, too.
    const enteredBy = [first_name, last_name].filter(Boolean).join(' ')
    return { id, at: at.getTime(), litres, kind, ...(enteredBy && { enteredBy }) }
  })
}

/** Stores a fill. Idempotent by the id, also after the fill was changed or removed. */
export async function addFill(context: Context, userId: UserId, fill: EnteredFill) {
  const { sessionId, fillId: id, litres, kind } = fill
  refuseStart(fill)
  await changeSession(context, userId, sessionId, async (trx, session) => {
    if (await storedFill(trx, fill)) return
    const { stored } = await trx
      .selectFrom('fills')
      .select(eb => eb.fn.countAll<string | number>().as('stored'))
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    if (Number(stored) >= maxFills) throw new Refusal('invalid-input', { detail: 'fills-too-many' })
    const at = timeWithin(session, fill.at ?? context.clock.now(), context.clock.now())
    await trx
      .insertInto('fills')
      .values({ session_id: sessionId, id, at, litres, kind, removed_at: null, entered_by: userId })
      .execute()
  })
}

/** Corrects a fill that was not removed. */
export async function changeFill(
  context: Context,
  userId: UserId,
  { was, ...fill }: EnteredFill & { was?: Pick<EnteredFill, 'litres' | 'kind'> | undefined },
) {
  const { sessionId, fillId } = fill
  refuseStart(fill)
  await changeSession(context, userId, sessionId, async (trx, session) => {
    const stored = await storedFill(trx, fill)
    if (!stored || stored.removed_at) throw new Refusal('not-found')
    const at = fill.at === undefined ? stored.at : timeWithin(session, fill.at, context.clock.now())
    const { litres, kind } = mergedCorrection<FillValues>(
      { litres: stored.litres, kind: stored.kind },
      { litres: fill.litres, kind: fill.kind },
      was,
    )
    await trx
      .updateTable('fills')
      .set({ at, litres, kind, entered_by: userId })
      .where('session_id', '=', sessionId)
      .where('id', '=', fillId)
      .execute()
  })
}

/** Removes a fill. Its row stays, so that a late repetition does not add it again. */
export async function removeFill(context: Context, userId: UserId, fill: FillName) {
  await changeSession(context, userId, fill.sessionId, trx => markRemoved(trx, fill, context.clock))
}

/** Sets the fuel at the start of the session; null removes it. */
export async function setStartFuel(
  context: Context,
  userId: UserId,
  {
    sessionId,
    litres,
    was,
  }: { sessionId: SessionId; litres: number | null; was?: number | null | undefined },
) {
  await changeSession(context, userId, sessionId, async (trx, { date_started }) => {
    const stored = await storedFill(trx, { sessionId, fillId: sessionId })
    const storedL = stored && !stored.removed_at ? stored.litres : null
    const seen = was === undefined ? was : { litres: was }
    const merged = mergedCorrection({ litres: storedL }, { litres }, seen)
    // Another person's value that this one did not change.
    if (merged.litres !== litres) return
    if (litres === null) return markRemoved(trx, { sessionId, fillId: sessionId }, context.clock)
    await trx
      .insertInto('fills')
      .values({
        session_id: sessionId,
        id: sessionId,
        at: date_started,
        litres,
        kind: 'start',
        removed_at: null,
        entered_by: userId,
      })
      .onConflict(conflict =>
        conflict
          .columns(['session_id', 'id'])
          .doUpdateSet({ litres, removed_at: null, entered_by: userId }),
      )
      .execute()
  })
}

async function markRemoved(
  trx: Transaction<Tables>,
  { sessionId, fillId }: FillName,
  clock: Context['clock'],
) {
  await trx
    .updateTable('fills')
    .set({ removed_at: new Date(clock.now()) })
    .where('session_id', '=', sessionId)
    .where('id', '=', fillId)
    .where('removed_at', 'is', null)
    .execute()
}

function storedFill(trx: Transaction<Tables>, { sessionId, fillId }: FillName) {
  return trx
    .selectFrom('fills')
    .select(['at', 'litres', 'kind', 'removed_at'])
    .where('session_id', '=', sessionId)
    .where('id', '=', fillId)
    .executeTakeFirst()
}

/** Only `setStartFuel` writes the row with the id of the session. */
function refuseStart({ sessionId, fillId }: EnteredFill) {
  if (fillId === sessionId) throw new Refusal('invalid-input', { fields: { fillId: 'not-valid' } })
}

/** Refuses a time outside the session; one in the future is now. */
function timeWithin(
  { date_started, date_ended }: LockedSession,
  atMs: EpochMs,
  nowMs: EpochMs,
): Date {
  const at = Math.min(atMs, nowMs)
  if (at < date_started.getTime() || (date_ended && at > date_ended.getTime()))
    throw new Refusal('invalid-input', { fields: { at: 'fill-time' } })
  return new Date(at)
}
