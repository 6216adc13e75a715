import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import { isOneOf } from '../db/statements/isOneOf.ts'
import { lockedInOrder } from '../db/statements/lockedInOrder.ts'
import { prepared } from '../db/statements/prepared.ts'
import { countPositionsOf } from './positions.ts'
import { type ChangedResult, changedResult, type ResultChanges } from './results/changedResult.ts'
import { replaceResults } from './results/replaceResults.ts'
import { type StoredResult, storedResultsOf } from './results/storedResults.ts'
import type { CountedPositions, SessionTiming } from './sessionTiming.ts'

/** Stores the laps of one session: see `storeLapsOf`. Returns null if they were not stored. */
export async function storeLaps(
  db: Kysely<Tables>,
  timing: SessionTiming,
): Promise<ResultChanges | null> {
  return (await storeLapsOf(db, [timing])).get(timing.sessionId)?.changes ?? null
}

/**
 * Stores the laps of sessions with their visits to the pits in one transaction, and returns the result of each stored
 * session. Skips sessions that are not timed, or whose laps do not match the stored positions and the circuit any more:
 * another node may have stored or deleted positions, changed the circuit, or ended the session since they were read.
 * Laps from before the oldest stored position stay: their positions were deleted.
 */
export async function storeLapsOf(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<Map<SessionId, ChangedResult>> {
  const counts = new Map(timings.map(timing => [timing.sessionId, timing.countsRequired]))
  const results = await db.transaction().execute(trx => storeCurrent(trx, timings))
  for (const { timing, counted } of results)
    timing.setCounted(counted, counts.get(timing.sessionId) ?? 0)
  return new Map(results.map(result => [result.timing.sessionId, result]))
}

interface CountedResult extends ChangedResult {
  counted: CountedPositions
}

async function storeCurrent(
  trx: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<CountedResult[]> {
  const locked = await lockUpToDate(trx, timings)
  if (locked.length === 0) return []
  const stored = await storedResultsOf(
    trx,
    locked.map(({ sessionId }) => sessionId),
  )
  const current = locked.flatMap(timing => {
    const before = stored.get(timing.sessionId)
    return before ? [{ timing, before, known: knownPositions(timing, before) }] : []
  })
  // Counted under the lock, so that the newest of two results is stored last.
  const counts = await countPositionsOf(
    trx,
    current.flatMap(({ timing: { sessionId, startMs, afterMs, hasPause }, known }) =>
      known && !hasPause ? [] : [{ sessionId, startMs: known?.upToMs ?? startMs, afterMs }],
    ),
  )
  const results = current.flatMap(({ timing, before, known }) => {
    const { sessionId, positions, afterMs: upToMs } = timing
    const count = counts.get(sessionId)
    if (count) {
      const isAll = count.timed + (known?.positions ?? 0) === positions
      if (!isAll || !isNewest(timing, count.later, before)) return []
    }
    const counted = { positions, upToMs, countedAll: known?.countedAll ?? positions }
    return [{ ...changedResult(timing, before), counted }]
  })
  if (results.length > 0) await replaceResults(trx, results)
  return results
}

/** All positions are counted again once their number has grown by this factor: about three times each in a race. */
const countAllFactor = 2

/**
 * Returns the positions that need not be counted again: those of the last stored result, unless another node has stored
 * a result since, perhaps from other positions. Later positions are counted only if there was a pause between them, in
 * which the phone may have sent fixes to another node, because counting reads a page of the table for each position. If
 * a node stores a position and crashes before it times it, the next full count notices it, at the end of the session at
 * the latest.
 */
function knownPositions(
  { positions, isFinished, counted }: SessionTiming,
  before: StoredResult,
): CountedPositions | null {
  if (!counted || isFinished || positions >= countAllFactor * counted.countedAll) return null
  const isLast = counted.upToMs === before.upToMs && counted.positions === before.positions
  return isLast ? counted : null
}

/** False if later positions exist although the drive has ended, or if the stored result includes one of them. */
function isNewest(
  { afterMs, isFinished }: SessionTiming,
  later: number,
  { upToMs }: StoredResult,
): boolean {
  return later === 0 || (!isFinished && (upToMs === null || upToMs <= afterMs))
}

/**
 * Locks the sessions, so that nobody stores other laps of them, deletes their positions, marks laps or turns lap timing
 * off until the commit. Fixes can still be stored: their node times them afterwards, and waits for this lock to store
 * the laps. Locks in the order of the ids, because transactions that lock several sessions could otherwise deadlock.
 * Returns the timings that are up to date.
 */
async function lockUpToDate(
  trx: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<SessionTiming[]> {
  const ids = timings.map(({ sessionId }) => sessionId)
  const sessions = await lockedInOrder(trx)
    .select(['lap_timing', 'positions_deleted_at', 'status', 'circuit_id', 'circuit_version'])
    .where(isOneOf('id', ids))
    .modifyEnd(prepared)
    .execute()
  const byId = new Map(sessions.map(session => [session.id, session]))
  return timings.filter(timing => {
    const session = byId.get(timing.sessionId)
    if (!session?.lap_timing || timing.found) return false
    return timing.fits(session) && (session.status === 'Complete') === timing.isFinished
  })
}
