import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { countPositions } from './positions.ts'
import type { SessionTiming } from './sessionTiming.ts'
import { rowOf, storedLaps } from './storedLaps.ts'
import { storeVisits, type VisitChange } from './visits/storedVisits.ts'
import { type Yellow, yellowOf, yellowTimes } from './yellow.ts'

/** A lap that was added (`before` is undefined), corrected, or removed (`after` is undefined). */
export interface LapChange {
  number: number
  before: Lap | undefined
  after: Lap | undefined
}

/** Laps and visits to the pits that changed, in order of time. */
export interface LapChanges {
  laps: LapChange[]
  visits: VisitChange[]
}

/**
 * Stores the laps of a session with its visits to the pits, and returns those that changed. Returns null, and stores nothing, if they are not the
 * laps of the stored positions and the session's circuit any more, or laps are not timed: another node may have stored
 * or deleted positions, changed the circuit, or ended the session, since they were read. Laps from before the oldest
 * stored position stay: their positions were deleted.
 */
export function storeLaps(db: Kysely<Tables>, timing: SessionTiming): Promise<LapChanges | null> {
  const { sessionId } = timing
  return db.transaction().execute(async trx => {
    if (!(await isUpToDate(trx, timing))) return null
    const known = await lockTiming(trx, sessionId)
    // Counted under the lock, so that the newest of two results is stored last.
    if ((await countPositions(trx, timing)) !== timing.positions) return null
    const before = await storedLaps(trx, sessionId)
    const firstMs = timing.firstMs ?? Number.POSITIVE_INFINITY
    const kept = before.filter(({ startedAt }) => startedAt < firstMs)
    const times = await yellowTimes(trx, sessionId)
    const laps = [...kept, ...newLaps(timing, kept)].map(lap => ({
      ...lap,
      ...yellowOf(lap, times),
    }))
    const changes = changesOf(before, laps)
    await replaceLaps(trx, sessionId, changes)
    const hasKept = kept.length > 0
    await trx
      .updateTable('lap_timings')
      .set({
        gps_poor: timing.isPoor || (hasKept && known.gps_poor && timing.laps.length === 0),
        positions: timing.positions,
        computed_up_to: timing.positions === 0 ? null : new Date(timing.afterMs),
        finished: timing.isFinished,
      })
      .where('session_id', '=', sessionId)
      .execute()
    return { laps: changes, visits: await storeVisits(trx, timing) }
  })
}

/** Locks the session, so that nobody deletes its positions or turns lap timing off until the commit. */
async function isUpToDate(trx: Kysely<Tables>, timing: SessionTiming): Promise<boolean> {
  const session = await trx
    .selectFrom('sessions')
    .select(['lap_timing', 'positions_deleted_at', 'status', 'circuit_id', 'circuit_version'])
    .where('id', '=', timing.sessionId)
    .forShare()
    .executeTakeFirst()
  if (!session?.lap_timing || timing.found) return false
  return timing.fits(session) && (session.status === 'Complete') === timing.isFinished
}

/** Creates the row if it is missing, and locks it. */
async function lockTiming(trx: Kysely<Tables>, sessionId: SessionId) {
  await trx
    .insertInto('lap_timings')
    .values({ session_id: sessionId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return trx
    .selectFrom('lap_timings')
    .select('gps_poor')
    .where('session_id', '=', sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Returns the computed laps as they are stored. Their numbers follow those of the kept laps. */
function newLaps({ laps }: SessionTiming, kept: readonly Lap[]): Omit<Lap, keyof Yellow>[] {
  const last = kept.at(-1)
  const offset = last ? last.number + 1 - (laps[0]?.number ?? 0) : 0
  return laps.map(lap => ({
    number: lap.number + offset,
    startedAt: Math.round(lap.startedAtMs),
    timeMs: Math.round(lap.timeMs),
    plusMinusMs: Math.round(lap.plusMinusMs),
    kind: lap.kind,
    isSeen: lap.isSeen,
  }))
}

function changesOf(before: readonly Lap[], after: readonly Lap[]): LapChange[] {
  const stored = new Map(before.map(lap => [lap.number, lap]))
  const wanted = new Map(after.map(lap => [lap.number, lap]))
  const numbers = [...new Set([...stored.keys(), ...wanted.keys()])].sort((a, b) => a - b)
  return numbers
    .map(number => ({ number, before: stored.get(number), after: wanted.get(number) }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}

async function replaceLaps(
  trx: Kysely<Tables>,
  sessionId: SessionId,
  changes: readonly LapChange[],
) {
  if (changes.length === 0) return
  const numbers = changes.map(({ number }) => number)
  await trx
    .deleteFrom('laps')
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`number = any(${`{${numbers.join(',')}}`}::text::integer[])`)
    .execute()
  const rows = changes.flatMap(({ after }) => (after ? [rowOf(sessionId, after)] : []))
  // Well below the limit of 65,535 parameters of a statement.
  for (let done = 0; done < rows.length; done += 1000)
    await trx
      .insertInto('laps')
      .values(rows.slice(done, done + 1000))
      .execute()
}
