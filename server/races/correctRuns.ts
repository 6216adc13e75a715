import type { Transaction } from 'kysely'
import type { RunDecision } from '#contract/carRaces.ts'
import type { EpochMs, RunCorrectionId, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import {
  type CarInRace,
  carInRace,
  carOfSession,
  type PhoneRow,
  phonesOfCar,
} from './phonesOfCar.ts'
import { lockRuns, recomputeRuns } from './runs.ts'
import { correctionsOf } from './storedRuns.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

interface Correction {
  sessionId: SessionId
  correctionId: RunCorrectionId
}

/**
 * Decides which phone was in the car of a session, and when: all decisions or none. Idempotent by the id, also after the
 * correction was undone. Refuses with `not-a-member`, viewers with `view-only`, and with `not-found` a phone that is no
 * session of this car. A decided time ends with the race at the latest, unless it is open.
 */
export async function correctRuns(
  context: Context,
  userId: UserId,
  {
    sessionId,
    correctionId: id,
    decisions,
    was,
  }: Correction & { decisions: readonly RunDecision[]; was?: number | undefined },
) {
  await changeCorrections(context, userId, sessionId, async (trx, car, phones) => {
    const { known, stored } = await ofCar(trx, car)
      .select(eb => eb.fn.countAll<string | number>().as('stored'))
      .select(eb => eb.fn.countAll<string | number>().filterWhere('id', '=', id).as('known'))
      .executeTakeFirstOrThrow()
    if (Number(known) > 0) return
    if (was !== undefined && was !== (await correctionsOf(trx, car))) refuse('run-corrected')
    if (Number(stored) >= storedBounds.runCorrections.max) refuse('run-corrections-too-many')
    const now = context.clock.now()
    const { ended_at } = await trx
      .selectFrom('races')
      .select('ended_at')
      .where('id', '=', car.raceId)
      .executeTakeFirstOrThrow()
    const raceEndsAt = ended_at?.getTime() ?? Number.POSITIVE_INFINITY
    const past = decisions.map(({ phone, from, until }) => ({
      phone,
      from: Math.min(from, now),
      until: until === null ? null : Math.min(until, now),
    }))
    requireInOrder(past)
    for (const decision of past) requireWithin(decision, phones, raceEndsAt)
    const inRace = past.map(({ until, ...decision }) => ({
      ...decision,
      until: until === null ? null : Math.min(until, raceEndsAt),
    }))
    await trx
      .insertInto('run_corrections')
      .values({
        race_id: car.raceId,
        car_id: car.carId,
        id,
        decisions: JSON.stringify(inRace),
        decided_by: userId,
        decided_at: new Date(now),
      })
      .execute()
    await recordCarChange(trx, { sessionId, kind: 'phone-chosen', actorId: userId, at: now })
  })
}

/** Takes a correction back. Idempotent. */
export async function undoCorrection(
  context: Context,
  userId: UserId,
  { sessionId, correctionId }: Correction,
) {
  await changeCorrections(context, userId, sessionId, async (trx, { raceId, carId }) => {
    const at = context.clock.now()
    const { numUpdatedRows } = await trx
      .updateTable('run_corrections')
      .set({ removed_at: new Date(at) })
      .where('race_id', '=', raceId)
      .where('car_id', '=', carId)
      .where('id', '=', correctionId)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    const kind = 'phone-choice-undone'
    if (numUpdatedRows > 0n) await recordCarChange(trx, { sessionId, kind, actorId: userId, at })
  })
}

/** Runs a change of the corrections of a session's car, one at a time, and computes the runs again. */
async function changeCorrections(
  context: Context,
  userId: UserId,
  sessionId: SessionId,
  change: (trx: Transaction<Tables>, car: CarInRace, phones: PhoneRow[]) => Promise<void>,
) {
  await context.db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    const session = await carOfSession(trx, sessionId)
    const car = session && carInRace(session)
    if (!car) return refuse('run-without-race')
    await lockRuns(trx, car.raceId)
    await change(trx, car, await phonesOfCar(trx, session))
  })
  await recomputeRuns(context, sessionId)
}

function ofCar(trx: Transaction<Tables>, { raceId, carId }: CarInRace) {
  return trx.selectFrom('run_corrections').where('race_id', '=', raceId).where('car_id', '=', carId)
}

/** Refuses a time that ends before it begins, and one that begins before the one before it ends. */
function requireInOrder(decisions: readonly RunDecision[]) {
  let free = Number.NEGATIVE_INFINITY
  for (const { from, until } of decisions) {
    const end = until ?? Number.POSITIVE_INFINITY
    if (from >= end) refuse('run-times')
    if (from < free) refuse('runs-overlap')
    free = end
  }
}

function requireWithin(
  { phone, from, until }: RunDecision,
  phones: readonly PhoneRow[],
  raceEndsAt: EpochMs,
) {
  const [first] = phones
  // "From now on" is also a decision about messages, which go on after the race.
  const isAfterRace = until !== null && from >= raceEndsAt
  if (!first || from < first.date_started.getTime() || isAfterRace) refuse('run-outside-race')
  if (phone === null) return
  const named = phones.find(({ id }) => id === phone)
  if (!named) throw new Refusal('not-found')
  const endsAt = named.date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  if (from < named.date_started.getTime() || from >= endsAt || (until ?? endsAt) > endsAt)
    refuse('run-outside-session')
}

function refuse(detail: RefusalDetail): never {
  throw new Refusal('invalid-input', { detail })
}
