import { isDeepStrictEqual } from 'node:util'
import type { Lap } from '#contract/laps.ts'
import { type LapTimingStop, maxSessionLaps } from '#contract/shared/lapTimingStops.ts'
import { type Yellow, yellowOf, yellowPeriods } from '#racing/timing/yellow.ts'
import type { SessionTiming } from './sessionTiming.ts'
import { changedMoves, type StoredMoves } from './storedMoves.ts'
import type { ResultVersions, StoredResult } from './storedResults.ts'
import { type VisitChange, visitChanges } from './storedVisits.ts'

/** A lap that was added (`before` is undefined), corrected, or removed (`after` is undefined). */
export interface LapChange {
  number: number
  before: Lap | undefined
  after: Lap | undefined
}

/** Laps and visits to the pits that changed, in order of time. */
export interface ResultChanges {
  laps: LapChange[]
  visits: VisitChange[]
}

/** The result of a timing that is to be stored. */
export interface ChangedResult {
  timing: SessionTiming
  /** The versions from which it was computed. */
  versions: ResultVersions
  isPoor: boolean
  /** Number of the newest change of the laps: the stored one, or the next if laps changed. */
  revision: number
  /** Why no further positions are timed; null while they are. */
  stopped: LapTimingStop | null
  /** True if `stopped` differs from the stored one. */
  stopChanged: boolean
  changes: ResultChanges
  /** Null if the stored ones stay. */
  moves: StoredMoves | null
}

/**
 * Compares a timing with the stored result. Laps from before the oldest position stay: their positions were deleted. All
 * stored laps stay if an error ended the timing before it reached them.
 */
export function changedResult(timing: SessionTiming, stored: StoredResult): ChangedResult {
  const firstMs = timing.firstMs ?? Number.POSITIVE_INFINITY
  const kept = stored.laps.filter(({ startedAt }) => startedAt < firstMs)
  const all = [...kept, ...newLaps(timing, kept)]
  const isFull = all.length >= maxSessionLaps
  const yellow = yellowPeriods(stored.yellow)
  const laps = all.slice(0, maxSessionLaps).map(lap => ({ ...lap, ...yellowOf(lap, yellow) }))
  const stopped = timing.stopped ?? (isFull ? 'too-many-laps' : null)
  const wasPoor = kept.length > 0 && timing.laps.length === 0 && stored.isPoor
  const staysAsStored = timing.hasFailed && laps.length < stored.laps.length
  const changes = staysAsStored
    ? { laps: [], visits: [] }
    : { laps: lapChanges(stored.laps, laps), visits: visitChanges(stored.visits, timing) }
  return {
    timing,
    versions: stored.versions,
    isPoor: timing.isPoor || wasPoor,
    revision: stored.revision + (changes.laps.length > 0 ? 1 : 0),
    stopped,
    stopChanged: stopped !== stored.stopped,
    changes,
    moves: staysAsStored ? null : changedMoves(stored.moves, timing),
  }
}

/** Returns the computed laps as they are stored: numbered on from the kept laps. */
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
    ...(lap.endsAtLine && { endsAtLine: true }),
  }))
}

function lapChanges(before: readonly Lap[], after: readonly Lap[]): LapChange[] {
  const stored = new Map(before.map(lap => [lap.number, lap]))
  const wanted = new Map(after.map(lap => [lap.number, lap]))
  const numbers = [...new Set([...stored.keys(), ...wanted.keys()])].sort((a, b) => a - b)
  return numbers
    .map(number => ({ number, before: stored.get(number), after: wanted.get(number) }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}
