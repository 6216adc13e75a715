import type { Kysely } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { isWithin, yellowOf } from '#racing/timing/yellow.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import { publishOthersInRace } from './publishInRace.ts'
import { storeYellow } from './refreshYellow.ts'
import { storedLaps } from './storedLaps.ts'
import { yellowPeriodsOf } from './yellow.ts'

interface Mark {
  sessionId: SessionId
  /** A time within the lap. */
  at: EpochMs
  marked: boolean
}

/**
 * Marks a lap yellow, or removes its mark. Idempotent. Refuses with `not-a-member`, viewers with `view-only`, and with
 * `not-found` if no lap contains the time.
 */
export async function markLap(
  { db, live, clock }: Pick<AppContext, 'db' | 'live' | 'clock'>,
  userId: UserId,
  { sessionId, at, marked }: Mark,
) {
  const changed = await db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    await lockLaps(trx, sessionId)
    const lap = (await storedLaps(trx, sessionId)).find(each => isWithin(at, each))
    if (!lap) throw new Refusal('not-found')
    if (lap.marked === marked) return null
    await recordCarChange(trx, {
      sessionId,
      kind: 'lap-marked',
      goesOn: true,
      actorId: userId,
      at: clock.now(),
    })
    await (marked ? addMark(trx, sessionId, lap) : removeMarks(trx, sessionId, lap))
    const yellow = yellowOf(lap, await yellowPeriodsOf(trx, sessionId))
    return storeYellow(trx, sessionId, [{ ...lap, ...yellow }])
  })
  if (!changed) return
  live.publish(`session:${sessionId}`, { t: 'laps-changed', ...changed })
  await publishOthersInRace({ db, live }, sessionId)
}

/** Waits for a node that stores laps at the moment, because it would not see the mark, and for other marks. */
async function lockLaps(trx: Kysely<Tables>, sessionId: SessionId) {
  await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forShare()
    .executeTakeFirst()
  await trx
    .selectFrom('lap_timings')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Stores a mark at the middle of the lap, which stays within it if the lap is later computed with a slightly different
 * start or end.
 */
async function addMark(trx: Kysely<Tables>, sessionId: SessionId, { startedAt, timeMs }: Lap) {
  const { marks } = await trx
    .selectFrom('lap_marks')
    .select(({ fn }) => fn.countAll<string | number>().as('marks'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (Number(marks) >= storedBounds.lapMarks.max)
    throw new Refusal('invalid-input', { detail: storedBounds.lapMarks.refusal })
  await trx
    .insertInto('lap_marks')
    .values({ session_id: sessionId, at: new Date(Math.floor(startedAt + timeMs / 2)) })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

async function removeMarks(trx: Kysely<Tables>, sessionId: SessionId, { startedAt, timeMs }: Lap) {
  await trx
    .deleteFrom('lap_marks')
    .where('session_id', '=', sessionId)
    .where('at', '>=', new Date(startedAt))
    .where('at', '<', new Date(startedAt + timeMs))
    .execute()
}
