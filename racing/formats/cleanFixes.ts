import { maxAccuracyM } from '#contract/shared/bounds.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { longestSeenMs } from '../circuits/crossing.ts'
import { drivingIntervalMs } from '../circuits/plausible.ts'
import { parkedMps } from '../fix.ts'
import { correctSpeeds } from './correctSpeeds.ts'
import { inOrder } from './inOrder.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'

/** Faster than any car on a circuit, in metres a second. */
export const fastestMps = 150

/** A receiver without a position reports 0° north and 0° east. No circuit is within this many degrees of it. */
const nowhereDeg = 0.01

/**
 * Returns the fixes of a recording in order of time, without impossible positions, speeds and directions. Throws
 * RecordingRefused if they are too rare for lap times.
 */
export function cleanFixes(all: readonly RecordedFix[]): RecordedFix[] {
  // Seconds with decimals are not exact: 0.6999999 s and 0.7 s are the same time.
  for (const fix of all) fix.atMs = Math.round(fix.atMs * 1000) / 1000
  const fixes = inOrder(all.filter(isOnEarth))
  correctHeadings(fixes)
  for (const fix of fixes) fix.accuracyM = within(fix.accuracyM, maxAccuracyM)
  const placed = withoutJumps(withoutRepeats(fixes), fastestMps)
  correctSpeeds(placed)
  for (const fix of placed) fix.speedMps = within(fix.speedMps, fastestMps)
  requireFrequent(placed)
  return placed
}

function isOnEarth({ latitude, longitude, atMs }: RecordedFix): boolean {
  return (
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    Number.isFinite(atMs) &&
    (Math.abs(latitude) > nowhereDeg || Math.abs(longitude) > nowhereDeg)
  )
}

/** Replaces directions by null where they are impossible, or everywhere if all are 0: then they are unknown. */
function correctHeadings(fixes: readonly RecordedFix[]) {
  const isUnknown = fixes.length > 1 && fixes.every(({ headingDeg }) => !headingDeg)
  for (const fix of fixes) fix.headingDeg = isUnknown ? null : within(fix.headingDeg, 360)
}

function within(value: number | null, most: number): number | null {
  return value !== null && value >= 0 && value <= most ? value : null
}

/**
 * Throws RecordingRefused if the positions of a driving car are too far apart for lap times: no crossing of a line is
 * seen between them, and several laps would count as one.
 */
function requireFrequent(fixes: readonly RecordedFix[]) {
  const everyMs = drivingIntervalMs(fixes.map(withSpeed))
  if (everyMs <= longestSeenMs) return
  throw new RecordingRefused(
    `The positions are ${(everyMs / 1000).toFixed(1).replace('.0', '')} s apart: lap times need one at least every ${longestSeenMs / 1000} s. Record more positions.`,
  )
}

function withSpeed(fix: RecordedFix, index: number, fixes: readonly RecordedFix[]) {
  const { atMs, speedMps } = fix
  const before = fixes[index - 1]
  if (speedMps !== null || !before || atMs <= before.atMs) return { atMs, speedMps }
  return { atMs, speedMps: distanceM(before, fix) / ((atMs - before.atMs) / 1000) }
}

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
function withoutRepeats(fixes: readonly RecordedFix[]): readonly RecordedFix[] {
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

/** A receiver's errors are smaller than this. */
const largestJumpM = 500

/** A jump is accepted after this many fixes at the new place. */
const jumpedFixes = 5

/**
 * Drops fixes that are farther from the one before than a car can drive with `fastestMps`: receivers without reception
 * report positions anywhere.
 */
function withoutJumps(fixes: readonly RecordedFix[], fastestMps: number): RecordedFix[] {
  const kept: RecordedFix[] = []
  /** Fixes at another place, which follow each other. */
  let elsewhere: RecordedFix[] = []
  /** Index in `kept` of the first fix after the last jump. */
  let since = 0
  const isJump = (from: RecordedFix, to: RecordedFix) =>
    distanceM(from, to) > fastestMps * ((to.atMs - from.atMs) / 1000) + largestJumpM
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
