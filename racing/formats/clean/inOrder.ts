import { distanceM } from '#contract/shared/places/geo.ts'
import { parkedMps } from '../../fix.ts'
import type { RecordedFix } from './recordedFix.ts'

/** No recording of a car is older: an earlier time counts from the start of the file, or the clock was not set. */
export const earliestMs = Date.UTC(1990, 0, 1)

/** Fixes that are late by up to the first time are sorted. A larger step back begins another drive, after a pause. */
const disorderMs = 60_000
const pauseMs = 120_000

/** A clock that is set, while the car drives on, changes by at least this. */
const leastSetMs = 3000

/** A car has driven this far while its clock was wrong by less, and is no farther ahead than in this share of it. */
const leastWayM = 100
const aheadShare = 0.35

/** A file has no gap this long. The first minute before it, or this share of the file, has the time of a cold start. */
const longestGapMs = 2 * 24 * 60 * 60 * 1000
const coldFixes = 60
const coldShare = 0.01

/** Sorts fixes by time, drops those with the time of another one, and removes steps of a clock that was set. */
export function inOrder(all: readonly RecordedFix[]): RecordedFix[] {
  const fixes = withoutColdTimes(withoutWrongTimes(all))
  let shiftMs = 0
  /** The clock is right after it was set: earlier times are moved. */
  let setMs = 0
  let before: RecordedFix | undefined
  let last: RecordedFix | undefined
  let stepMs = 1000
  let isSorted = true
  for (const [index, fix] of fixes.entries()) {
    const ownMs = fix.atMs
    const byMs = last ? ownMs + shiftMs - last.atMs : 0
    if (
      last &&
      before &&
      isClockStep(byMs, { before, last, fix, next: fixes[index + 1], stepMs })
    ) {
      setMs += byMs - stepMs
      shiftMs -= byMs - stepMs
    } else if (last && byMs < -disorderMs) shiftMs += pauseMs - byMs
    else if (byMs > 0 && byMs < leastSetMs) stepMs = byMs
    fix.atMs = ownMs + shiftMs
    if (last && fix.atMs < last.atMs) isSorted = false
    before = last
    last = fix
  }
  if (setMs !== 0) for (const fix of fixes) fix.atMs += setMs
  if (!isSorted) fixes.sort((one, other) => one.atMs - other.atMs)
  return fixes.filter(({ atMs }, index) => atMs !== fixes[index - 1]?.atMs)
}

interface Around {
  readonly before: RecordedFix
  readonly last: RecordedFix
  readonly fix: RecordedFix
  readonly next: RecordedFix | undefined
  /** The usual time between fixes. */
  readonly stepMs: number
}

/** True if the time changes by far more or less than the car drives: its clock was set. */
function isClockStep(byMs: number, { before, last, fix, next, stepMs }: Around): boolean {
  if (!next || (byMs < leastSetMs && byMs > -leastSetMs)) return false
  const earlierM = distanceM(before, last)
  const laterM = distanceM(fix, next)
  const mps = (1000 * Math.min(earlierM, laterM)) / stepMs
  if (mps < parkedMps || Math.max(earlierM, laterM) > 2 * Math.min(earlierM, laterM)) return false
  const wayM = (mps * Math.abs(byMs)) / 1000
  const driverM = distanceM(last, fix)
  const isNext = driverM > 0.3 * earlierM && driverM < 2 * Math.max(earlierM, laterM)
  // In a gap in reception the car may come back, but not in the same direction.
  return (
    isNext &&
    wayM >= leastWayM &&
    driverM <= aheadShare * wayM &&
    isStraight(before, last, fix, next)
  )
}

/** True if the car drives on in about the same direction, and not back. */
function isStraight(
  before: RecordedFix,
  last: RecordedFix,
  fix: RecordedFix,
  next: RecordedFix,
): boolean {
  const shareOf = (one: RecordedFix, middle: RecordedFix, other: RecordedFix) =>
    distanceM(one, other) / (distanceM(one, middle) + distanceM(middle, other))
  return shareOf(before, last, fix) > 0.9 && shareOf(last, fix, next) > 0.9
}

/** Drops single fixes whose time is far from that of both neighbours. */
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
