import { maxAccuracyM } from '#contract/shared/bounds.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { longestSeenMs } from '../circuits/crossing.ts'
import { drivingIntervalMs } from '../circuits/plausible.ts'
import { correctSpeeds } from './correctSpeeds.ts'
import { inOrder } from './inOrder.ts'
import { separatePauses, withoutJumps, withoutRepeats } from './positions.ts'
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
  // Some files count longitudes from 0 to 360°.
  for (const fix of all) if (fix.longitude > 180 && fix.longitude <= 360) fix.longitude -= 360
  const fixes = inOrder(all.filter(isOnEarth))
  correctHeadings(fixes)
  for (const fix of fixes) fix.accuracyM = within(fix.accuracyM, maxAccuracyM)
  const placed = withoutJumps(withoutRepeats(fixes), fastestMps)
  separatePauses(placed, fastestMps)
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
