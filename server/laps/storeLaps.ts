import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import { countPositionsOf } from '../telemetry/positions.ts'
import { type ChangedResult, changedResult, type ResultChanges } from './changedResult.ts'
import { replaceResults } from './replaceResults.ts'
import type { CountedPositions, SessionTiming } from './sessionTiming.ts'
import { type StoredResult, storedResultsOf } from './storedResults.ts'

/** Stores the laps of one session: see `storeLapsOf`. Returns null if they were not stored. */
export async function storeLaps(
  db: Kysely<Tables>,
  timing: SessionTiming,
): Promise<ResultChanges | null> {
  return (await storeLapsOf(db, [timing])).get(timing.sessionId)?.changes ?? null
}

/** How often results are computed again because a session was changed since it was read, for example by a message. */
const tries = 3

/**
 * Stores the laps of sessions with their visits to the pits, and returns the result of each stored session. Calls
 * `onStored` with each result as soon as it is stored, because a later try may fail. Skips sessions that are not timed,
 * or whose laps do not match the stored positions and the circuit any more: another node may have stored or deleted
 * positions, changed the circuit, or ended the session since they were read. Laps from before the oldest stored
 * position stay: their positions were deleted.
 *
 * Fixes can be stored during this: their node times them afterwards, and computes its result from the one stored here.
 */
export async function storeLapsOf(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
  onStored: (result: ChangedResult) => void = () => undefined,
): Promise<Map<SessionId, ChangedResult>> {
  const counts = new Map(timings.map(timing => [timing.sessionId, timing.countsRequired]))
  const all = new Map<SessionId, ChangedResult>()
  let due = timings
  for (let attempt = 0; attempt < tries && due.length > 0; attempt++) {
    const results = await currentResults(db, due)
    const stored = results.length > 0 ? await replaceResults(db, results) : new Set()
    for (const result of results) {
      const { timing, counted } = result
      if (!stored.has(timing.sessionId)) continue
      timing.setStored(counted, counts.get(timing.sessionId) ?? 0)
      all.set(timing.sessionId, result)
      onStored(result)
    }
    due = results.flatMap(({ timing }) => (all.has(timing.sessionId) ? [] : [timing]))
  }
  return all
}

interface CountedResult extends ChangedResult {
  counted: CountedPositions
}

/** Compares the timings that are up to date with the stored results. */
async function currentResults(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<CountedResult[]> {
  const stored = await storedResultsOf(
    db,
    timings.map(({ sessionId }) => sessionId),
  )
  const current = timings.flatMap(timing => {
    const before = stored.get(timing.sessionId)
    return before && isUpToDate(timing, before)
      ? [{ timing, before, known: knownPositions(timing, before) }]
      : []
  })
  // Counted after the stored result was read: if another node stores one in between, this one is not stored.
  const counts = await countPositionsOf(
    db,
    current.flatMap(({ timing: { sessionId, startMs, afterMs, mayLackPositions }, known }) =>
      known && !mayLackPositions ? [] : [{ sessionId, startMs: known?.upToMs ?? startMs, afterMs }],
    ),
  )
  return current.flatMap(({ timing, before, known }) => {
    const { sessionId, positions, afterMs: upToMs } = timing
    const count = counts.get(sessionId)
    if (count) {
      const isAll = count.timed + (known?.positions ?? 0) === positions
      if (!isAll || !isNewest(timing, count.later, before)) return []
    }
    const counted = { positions, upToMs, countedAll: known?.countedAll ?? positions }
    return [{ ...changedResult(timing, before), counted }]
  })
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

/** False if the session is not timed, or was changed since its timing began. */
function isUpToDate(timing: SessionTiming, { session }: StoredResult): boolean {
  if (!session.lap_timing || timing.found) return false
  return timing.fits(session) && (session.status === 'Complete') === timing.isFinished
}
