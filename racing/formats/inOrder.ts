import { dayMs } from '#contract/shared/durations.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { parkedMps } from '../fix.ts'
import { earliestMs, Parts } from './parts.ts'
import type { RecordedFix } from './recordedFix.ts'

/** Fixes that are late by at most this time are sorted. A larger step back begins another part of the file. */
const disorderMs = 60_000

/** Pause that is assumed between two drives in one file. */
export const pauseMs = 120_000

/** The smallest step of a clock that is recognised without knowing its size. */
const leastSetMs = 3000

/** Receivers correct smaller errors by whole seconds, once they know the leap seconds. */
const leapMs = 1000
const leapToleranceMs = 100

/**
 * A longer step forward is a gap in reception, after which the car may be at the same place of another lap. It is a clock
 * that was set only if it is a multiple of a quarter of an hour: another time zone.
 */
const longestForwardMs = 25_000
const zoneMs = 15 * 60_000
const zoneToleranceMs = 1500

/** A clock was set if the car would drive `leastWayM` or more during the step, but drove at most `aheadShare` of it. */
const leastWayM = 100
const aheadShare = 0.35

/** In a small step of the clock, the car drives as far as in other steps, within this share. */
const leapShare = 0.3
const leastLeapM = 15

/** Steps before and after a small step of the clock that are as long as usual. */
const regularSteps = 4
const regularShare = 0.25

/** A car that turns covers less than this share of its way as a straight line. */
const straightShare = 0.85

/**
 * Fixes before a longer gap were taken before the receiver's clock was set. They are dropped if they are at most
 * `coldFixes`, or at most this share of the file.
 */
const longestGapMs = 2 * dayMs
const coldFixes = 60
const coldShare = 0.01

/**
 * Sorts fixes by time, drops those with the time of another one, and removes steps of a clock that was set. A part of
 * the file that repeats another one, or whose dates are earlier, is sorted; one that drives elsewhere at the same times
 * is another drive.
 */
export function inOrder(all: readonly RecordedFix[]): RecordedFix[] {
  const fixes = withoutColdTimes(withoutWrongTimes(all))
  const parts = new Parts(fixes)
  let shiftMs = 0
  /** The clock is right after it was set: earlier times are moved. */
  let setMs = 0
  let last: RecordedFix | undefined
  let stepMs = 1000
  let isSorted = true
  for (const [index, fix] of fixes.entries()) {
    const ownMs = fix.atMs
    const byMs = last ? ownMs + shiftMs - last.atMs : 0
    if (byMs < -disorderMs && parts.isRepeated(index, shiftMs)) isSorted = false
    else if (isClockStep(fixes, index, { byMs, stepMs })) {
      setMs += byMs - stepMs
      shiftMs -= byMs - stepMs
    } else if (byMs > -dayMs && byMs < disorderMs - dayMs) shiftMs += dayMs
    else if (byMs < -disorderMs && !parts.isEarlier(index, shiftMs))
      shiftMs = parts.latestMs(index) + pauseMs - ownMs
    else if (byMs > 0 && byMs < leastSetMs) stepMs = byMs
    fix.atMs = ownMs + shiftMs
    if (last && fix.atMs < last.atMs) isSorted = false
    last = fix
  }
  if (setMs !== 0) for (const fix of fixes) fix.atMs += setMs
  if (!isSorted) fixes.sort((one, other) => one.atMs - other.atMs)
  return withoutEqualTimes(fixes)
}

/** Keeps the most accurate of the fixes with one time, or else the first: phones also report places of their network. */
function withoutEqualTimes(fixes: readonly RecordedFix[]): RecordedFix[] {
  const kept: RecordedFix[] = []
  for (const fix of fixes) {
    const last = kept.at(-1)
    if (last?.atMs !== fix.atMs) kept.push(fix)
    else if ((fix.accuracyM ?? Infinity) < (last.accuracyM ?? Infinity)) kept[kept.length - 1] = fix
  }
  return kept
}

/** Speeds and directions are measured over this time, because of the receiver's noise. */
const measuredMs = 900

/** A receiver's noise between two fixes. */
const noiseM = 5

/**
 * True if the time changes by `byMs` before the fix with this index, by far more or less than the car drives: its clock
 * was set. `stepMs` is the usual time between fixes. Earlier fixes are already moved, which does not matter here.
 */
function isClockStep(
  fixes: readonly RecordedFix[],
  index: number,
  { byMs, stepMs }: { byMs: number; stepMs: number },
): boolean {
  const isLeapStep = isLeap(byMs - stepMs)
  if (!isLeapStep && byMs < leastSetMs && byMs > -leastSetMs) return false
  const isSmall = isLeapStep && Math.abs(byMs - stepMs) < leastSetMs - leapToleranceMs
  if (byMs > longestForwardMs && !isZone(byMs - stepMs)) return false
  // A few seconds may also be missing, or rows written late.
  if (isSmall && !isRegular(fixes, index, stepMs)) return false
  const over = Math.max(1, Math.ceil(measuredMs / stepMs))
  const before = fixes[index - 1 - over]
  const last = fixes[index - 1]
  const fix = fixes[index]
  const after = fixes[index + over]
  if (!before || !last || !fix || !after) return false
  const earlierMps = (1000 * distanceM(before, last)) / (last.atMs - before.atMs)
  const laterMps = (1000 * distanceM(fix, after)) / (after.atMs - fix.atMs)
  const mps = Math.min(earlierMps, laterMps)
  if (!(mps >= parkedMps && Math.max(earlierMps, laterMps) <= 2 * mps)) return false
  const stepM = distanceM(last, fix)
  const usualM = (mps * stepMs) / 1000
  const isNext = stepM >= 0.3 * usualM - noiseM && stepM <= 2 * usualM + noiseM
  const wayM = (mps * Math.abs(byMs)) / 1000
  if (isSmall) {
    const wrongM = (mps * Math.abs(byMs - stepMs)) / 1000
    const isUsual = Math.abs(stepM - usualM) <= Math.max(noiseM, leapShare * usualM)
    if (!isUsual || wrongM < leastLeapM) return false
  } else if (!isNext || wayM < leastWayM || stepM > aheadShare * wayM) return false
  // The car must drive straight on: in a gap in reception it may have turned round.
  const wholeM = distanceM(before, last) + stepM + distanceM(fix, after)
  return distanceM(before, after) > straightShare * wholeM
}

function isLeap(byMs: number): boolean {
  const seconds = Math.round(byMs / leapMs)
  return seconds !== 0 && Math.abs(byMs - seconds * leapMs) <= leapToleranceMs
}

/** True if the steps before and after this fix are as long as usual. */
function isRegular(fixes: readonly RecordedFix[], index: number, stepMs: number): boolean {
  for (let at = index - regularSteps; at <= index + regularSteps; at++) {
    const [from, to] = [fixes[at - 1], fixes[at]]
    if (at === index || !from || !to) continue
    if (Math.abs(to.atMs - from.atMs - stepMs) > regularShare * stepMs) return false
  }
  return true
}

function isZone(byMs: number): boolean {
  return Math.abs(byMs - zoneMs * Math.round(byMs / zoneMs)) <= zoneToleranceMs
}

/** Drops single fixes whose time is far from the times of both neighbours. */
function withoutWrongTimes(fixes: readonly RecordedFix[]): RecordedFix[] {
  return fixes.filter(({ atMs }, index) => {
    const before = fixes[index - 1]
    const after = fixes[index + 1]
    if (!before || !after || Math.abs(after.atMs - before.atMs) > disorderMs) return true
    return Math.abs(atMs - before.atMs) <= disorderMs
  })
}

/** Drops the first fixes of a receiver whose clock was not set yet: days or years before or after the others. */
function withoutColdTimes(fixes: RecordedFix[]): RecordedFix[] {
  const dated = fixes.filter(({ atMs }) => atMs >= earliestMs)
  const known = dated.length > fixes.length / 2 ? dated : fixes
  const most = Math.max(coldFixes, coldShare * known.length)
  let cold = 0
  for (let index = 1; index <= most && index < known.length / 2; index++) {
    const stepMs = (known[index] as RecordedFix).atMs - (known[index - 1] as RecordedFix).atMs
    if (Math.abs(stepMs) > longestGapMs) cold = index
  }
  return cold > 0 ? known.slice(cold) : known
}
