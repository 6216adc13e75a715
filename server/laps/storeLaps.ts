import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import { isOneOf } from '../db/statements/isOneOf.ts'
import { lockedInOrder } from '../db/statements/lockedInOrder.ts'
import { prepared } from '../db/statements/prepared.ts'
import { countPositionsOf, type PositionCounts } from './positions.ts'
import { changedResult, type LapChanges } from './results/changedResult.ts'
import { replaceResults } from './results/replaceResults.ts'
import { type StoredResult, storedResultsOf } from './results/storedResults.ts'
import type { SessionTiming } from './sessionTiming.ts'

/** Stores the laps of one session: see `storeLapsOf`. Returns null if they were not stored. */
export async function storeLaps(
  db: Kysely<Tables>,
  timing: SessionTiming,
): Promise<LapChanges | null> {
  return (await storeLapsOf(db, [timing])).get(timing.sessionId) ?? null
}

/**
 * Stores the laps of sessions with their visits to the pits in one transaction, and returns the changes of each stored
 * session. Skips sessions that are not timed, or whose laps do not match the stored positions and the circuit any more:
 * another node may have stored or deleted positions, changed the circuit, or ended the session since they were read.
 * Laps from before the oldest stored position stay: their positions were deleted.
 */
export function storeLapsOf(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<Map<SessionId, LapChanges>> {
  return db.transaction().execute(async trx => {
    const locked = await lockUpToDate(trx, timings)
    if (locked.length === 0) return new Map()
    // Counted under the lock, so that the newest of two results is stored last.
    const counts = await countPositionsOf(trx, locked)
    const stored = await storedResultsOf(
      trx,
      locked.map(({ sessionId }) => sessionId),
    )
    const results = locked.flatMap(timing => {
      const [positions, before] = [counts.get(timing.sessionId), stored.get(timing.sessionId)]
      if (!positions || !before || !isCurrent(timing, positions, before)) return []
      return [changedResult(timing, before)]
    })
    if (results.length > 0) await replaceResults(trx, results)
    return new Map(results.map(({ timing, changes }) => [timing.sessionId, changes]))
  })
}

/**
 * True if all positions up to the newest timed one were timed. Later ones may exist, unless the drive has ended or laps
 * up to one of them are stored.
 */
function isCurrent(
  { positions, afterMs, isFinished }: SessionTiming,
  { timed, later }: PositionCounts,
  { upToMs }: StoredResult,
): boolean {
  if (timed !== positions) return false
  return later === 0 || (!isFinished && (upToMs === null || upToMs <= afterMs))
}

/**
 * Locks the sessions, so that nobody stores other laps of them, deletes their positions, marks laps or turns lap timing off
 * until the commit. Only fixes are stored meanwhile: whoever stores one times it afterwards, which waits for this lock. It
 * locks them in the order of their ids, because transactions that lock several sessions could otherwise deadlock. Returns
 * the timings that are up to date.
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
