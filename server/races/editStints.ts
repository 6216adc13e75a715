import type { Transaction } from 'kysely'
import type { DriverId, EpochMs, SessionId, StintId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { StintEdit } from '#contract/stints.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireDriverOfTeam } from '../roster/rosterChecks.ts'
import { changeSession, type LockedSession } from './changeSession.ts'
import { mergedCorrection } from './mergedCorrection.ts'
import { isKnown, startWithin, stintsOf, storeStint } from './storedStints.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

/** Corrects stints by hand: all steps in their order, or none. */
export async function editStints(
  context: Context,
  userId: UserId,
  { sessionId, edits }: { sessionId: SessionId; edits: readonly StintEdit[] },
) {
  await changeSession(context, userId, sessionId, async (trx, session) => {
    const now = context.clock.now()
    for (const edit of edits) await apply(trx, session, edit, now)
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
  await changeSession(context, userId, sessionId, async (trx, session) => {
    const now = context.clock.now()
    await remove(trx, session, { kind: 'remove', stintId }, Math.min(at ?? now, now))
  })
}

async function apply(
  trx: Transaction<Tables>,
  session: LockedSession,
  edit: StintEdit,
  now: EpochMs,
) {
  switch (edit.kind) {
    case 'add':
      return add(trx, session, edit, now)
    case 'change':
      return change(trx, session, edit, now)
    case 'remove':
      return remove(trx, session, edit, now)
  }
}

type Edit<Kind extends StintEdit['kind']> = Extract<StintEdit, { kind: Kind }>

async function add(
  trx: Transaction<Tables>,
  session: LockedSession,
  { stintId: id, driverId, from }: Edit<'add'>,
  now: EpochMs,
) {
  const { id: sessionId, team_id } = session
  if (await isKnown(trx, { sessionId, id })) return
  await requireDriverOfTeam(trx, team_id, driverId)
  await storeStint(trx, { sessionId, id, driverId, from: startWithin(session, from, now) })
}

async function change(
  trx: Transaction<Tables>,
  session: LockedSession,
  { stintId: id, was, ...wanted }: Edit<'change'>,
  now: EpochMs,
) {
  const stints = await stintsOf(trx, session)
  const index = stints.findIndex(each => each.id === id)
  const current = stints[index]
  if (!current) throw new Refusal('not-found')
  const { driverId, from } = mergedCorrection(valuesOf(current), valuesOf(wanted), was)
  await requireDriverOfTeam(trx, session.team_id, driverId)
  if (from !== current.from) {
    if (index === 0) throw new Refusal('invalid-input', { fields: { from: 'stint-first' } })
    const before = stints[index - 1]?.from ?? Number.NEGATIVE_INFINITY
    const after = stints[index + 1]?.from ?? Number.POSITIVE_INFINITY
    startWithin(session, from, now)
    if (from <= before || from >= after || from > now)
      throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
  }
  await storeStint(trx, { sessionId: session.id, id, driverId, from })
}

async function remove(
  trx: Transaction<Tables>,
  session: LockedSession,
  { stintId: id, was }: Edit<'remove'>,
  now: EpochMs,
) {
  const sessionId = session.id
  if (id === sessionId) throw new Refusal('invalid-input', { fields: { stintId: 'stint-first' } })
  const stored = was && (await stintsOf(trx, session)).find(each => each.id === id)
  if (was && stored && (stored.driverId !== was.driverId || stored.from !== was.from))
    throw new Refusal('invalid-input', { detail: 'entry-changed' })
  await removeEntry(trx, { sessionId, id }, now)
}

/**
 * Removes a stint, or the one of which it is a second entry. If one of both was made after the removal, the
 * stint is kept and starts with that one.
 */
async function removeEntry(
  trx: Transaction<Tables>,
  { sessionId, id }: { sessionId: SessionId; id: StintId },
  removedAt: EpochMs,
) {
  const removed_at = new Date(removedAt)
  const entry = await trx
    .selectFrom('stints')
    .select('merged_into')
    .where('session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst()
  const target = entry?.merged_into ?? id
  const { from_at } = await trx
    .selectFrom('stints')
    .select(eb => eb.fn.max<Date | null>('from_at').as('from_at'))
    .where('session_id', '=', sessionId)
    .where('merged_into', '=', target)
    .executeTakeFirstOrThrow()
  const isLater = from_at !== null && from_at > removed_at
  if (target !== id)
    await trx
      .updateTable('stints')
      .set({ merged_into: null, removed_at })
      .where('session_id', '=', sessionId)
      .where('id', '=', id)
      .execute()
  // The first stint cannot be removed.
  if (target === sessionId) return
  await trx
    .updateTable('stints')
    .set(isLater ? { from_at } : { removed_at })
    .where('session_id', '=', sessionId)
    .where('id', '=', target)
    .where('removed_at', 'is', null)
    .execute()
}

function valuesOf({ driverId, from }: { driverId: DriverId | null; from: EpochMs }) {
  return { driverId, from }
}
