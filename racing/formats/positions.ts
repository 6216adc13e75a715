import { distanceM } from '#contract/shared/geo.ts'
import { parkedMps } from '../fix.ts'
import { pauseMs } from './inOrder.ts'
import { earliestMs } from './parts.ts'
import type { RecordedFix } from './recordedFix.ts'

/** Receivers measure at least as often as this: rows that follow each other faster may repeat a position. */
const slowestMs = 1000

/** A position that is unchanged for longer than this belongs to a standing car, not to repeated rows. */
const heldMs = 2000

/** Least number of rows that show whether positions are repeated. */
const leastRows = 100

/**
 * Drops rows that repeat the position before them: some loggers write more rows than the receiver measures, and the
 * car would seem to stand and jump. The repeated positions of a standing car stay.
 */
export function withoutRepeats(fixes: readonly RecordedFix[]): readonly RecordedFix[] {
  if (fixes.length < leastRows) return fixes
  let last: RecordedFix | undefined
  return fixes.filter((fix, index) => {
    const before = fixes[index - 1]
    const isRepeated =
      last !== undefined &&
      before !== undefined &&
      fix.latitude === last.latitude &&
      fix.longitude === last.longitude &&
      fix.atMs - before.atMs < slowestMs &&
      (fix.speedMps === null ? fix.atMs - last.atMs < heldMs : fix.speedMps >= parkedMps)
    if (isRepeated) return false
    last = fix
    return true
  })
}

/**
 * Faster than any car on a circuit. Higher speeds in imported recordings are discarded, and so are positions that only a
 * faster car could reach.
 */
export const fastestCarMps = 150

/** A receiver's errors are smaller than this. */
const largestErrorM = 500

/** A jump is accepted after this many fixes at the new place. */
const jumpedFixes = 5

/**
 * Drops fixes that are farther from the one before than `fastestCarMps` and `largestErrorM` allow: receivers without
 * reception report positions anywhere.
 */
export function withoutJumps(fixes: readonly RecordedFix[]): RecordedFix[] {
  const kept: RecordedFix[] = []
  /** Fixes at another place, which follow each other. */
  let elsewhere: RecordedFix[] = []
  /** Index in `kept` of the first fix after the last jump. */
  let since = 0
  const isJump = (from: RecordedFix, to: RecordedFix) =>
    distanceM(from, to) > fastestCarMps * ((to.atMs - from.atMs) / 1000) + largestErrorM
  for (const fix of fixes) {
    const last = kept.at(-1)
    if (!last || !isJump(last, fix)) {
      elsewhere = []
      kept.push(fix)
      continue
    }
    const before = elsewhere.at(-1)
    elsewhere = before && !isJump(before, fix) ? [...elsewhere, fix] : [fix]
    if (elsewhere.length < jumpedFixes) continue
    // Fewer fixes at the old place were wrong themselves.
    if (kept.length - since < jumpedFixes) kept.length = since
    since = kept.length
    for (const each of elsewhere) kept.push(each)
    elsewhere = []
  }
  return kept
}

/** Minimum distance over a pause of a recording. A receiver's errors are smaller, or soon over. */
const leastPausedM = 150

/** After a longer time there was a gap in reception, or the clock went on. */
const longestStepMs = 3000

/**
 * Adds a pause before fixes without dates that are farther away than a car can drive with `fastestCarMps`. The clock of the
 * recording was stopped while it was paused: a lap with the pause would be too short.
 */
export function separatePauses(fixes: readonly RecordedFix[]) {
  if ((fixes[0]?.atMs ?? earliestMs) >= earliestMs) return
  const isPaused = (index: number) => {
    const [from, to] = [fixes[index - 1], fixes[index]]
    if (!from || !to) return false
    const forMs = to.atMs - from.atMs
    return (
      forMs <= longestStepMs && distanceM(from, to) > (fastestCarMps * forMs) / 1000 + leastPausedM
    )
  }
  const jumps = fixes.flatMap((_, index) => (isPaused(index) ? index : []))
  const pauses = new Set(
    jumps.filter((at, nth) => (jumps[nth + 1] ?? fixes.length) - at >= jumpedFixes),
  )
  let shiftMs = 0
  for (const [index, fix] of fixes.entries()) {
    if (pauses.has(index)) shiftMs += pauseMs
    fix.atMs += shiftMs
  }
}
