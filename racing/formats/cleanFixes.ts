import { maxAccuracyM } from '#contract/shared/bounds.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { longestSeenMs } from '../circuits/crossing.ts'
import { drivingIntervalMs } from '../circuits/plausible.ts'
import { inOrder } from './inOrder.ts'
import { fastestCarMps, separatePauses, withoutJumps, withoutRepeats } from './positions.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { mpsPerKmh, mpsPerKnot, mpsPerMph } from './speedUnits.ts'

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
  const placed = withoutJumps(withoutRepeats(fixes))
  separatePauses(placed)
  correctSpeeds(placed)
  for (const fix of placed) fix.speedMps = within(fix.speedMps, fastestCarMps)
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

/** One metre a second in other units. */
const kmh = 1 / mpsPerKmh
const mph = 1 / mpsPerMph
const knots = 1 / mpsPerKnot

/** Ratios of reported to true speed when the wrong unit was assumed. Mistaking mph for knots is too small an error to detect. */
const wrongUnits = [
  kmh,
  mph,
  knots,
  1 / kmh,
  1 / mph,
  1 / knots,
  kmh / mph,
  kmh / knots,
  mph / kmh,
  knots / kmh,
]

/** Speeds agree with the positions within this share of them. */
const agreeWithin = 0.06

/** Speeds are compared over steps of at least `overMs` and at most `longestMs`. */
const overMs = 900
const longestMs = 2500

/** Maximum number of rows in one step: no receiver measures more often. */
const mostRows = 200

/** Only steps faster than `comparedFromMps` are compared, at least `leastSteps` and at most `mostSteps` of them. */
const comparedFromMps = 8
const leastSteps = 30
const mostSteps = 2000

/** A unit is wrong if another one agrees in this share of all steps. */
const leastShare = 0.6

/** A speed of 0 in this share of the steps in which the car moves means that the file has no speed. */
const unknownShare = 0.9
const reportedAsZeroMps = 0.5

/** Corrects speeds that were read in the wrong unit, and removes speeds that are always 0. */
function correctSpeeds(fixes: readonly RecordedFix[]) {
  const ratios = speedRatios(fixes)
  if (ratios.length < leastSteps) return
  const share = (test: (ratio: number) => boolean) => ratios.filter(test).length / ratios.length
  const agreeing = (unit: number) => share(ratio => Math.abs(ratio / unit - 1) <= agreeWithin)
  const isUnknown = share(ratio => ratio === 0) >= unknownShare
  const unit = wrongUnits.find(each => agreeing(each) >= leastShare && agreeing(each) > agreeing(1))
  if (!isUnknown && unit === undefined) return
  for (const fix of fixes) {
    if (isUnknown) fix.speedMps = null
    else if (fix.speedMps !== null && unit !== undefined) fix.speedMps /= unit
  }
}

/** Returns the reported speed as a multiple of that between positions, in steps over the whole recording. */
function speedRatios(fixes: readonly RecordedFix[]): number[] {
  const ratios: number[] = []
  const every = Math.max(1, Math.floor(fixes.length / mostSteps))
  for (let index = 0; index < fixes.length; index += every) {
    const from = fixes[index] as RecordedFix
    let end = index + 1
    while (
      end - index < mostRows &&
      (fixes[end]?.atMs ?? Number.POSITIVE_INFINITY) - from.atMs < overMs
    )
      end++
    const to = fixes[end]
    if (!to || to.atMs - from.atMs > longestMs || from.speedMps === null || to.speedMps === null)
      continue
    const mps = (distanceM(from, to) / (to.atMs - from.atMs)) * 1000
    if (mps < comparedFromMps) continue
    const reportedMps = (from.speedMps + to.speedMps) / 2
    ratios.push(reportedMps < reportedAsZeroMps ? 0 : reportedMps / mps)
  }
  return ratios
}
