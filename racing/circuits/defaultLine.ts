import { leastOf } from '#contract/shared/extremes.ts'
import { parkedMps } from '../fix.ts'
import { Accuracy, poorPlusMinusMs, upperMedian } from './accuracy.ts'
import { longestSeenMs } from './crossing.ts'
import type { Progress } from './progressMatcher.ts'

/** Distance between the compared places. */
const placeEveryM = 20

/** Longer steps are gaps in reception, in which the car may have been anywhere. */
const longestStepShare = 1 / 4

/**
 * Returns the share of the lap at which a learned circuit should have its line. It is 0, where the lap was closed, if
 * laps can be timed there. Otherwise it is the place where lap times have the smallest ±: the reported accuracy, if any,
 * is good in most passes, and the car is fast.
 */
export function defaultLineShare(path: readonly Progress[], lengthM: number): number {
  const accuracy = new Accuracy()
  const count = Math.max(1, Math.round(lengthM / placeEveryM))
  const everyM = lengthM / count
  const passes: number[][] = Array.from({ length: count }, () => [])
  for (const [index, after] of path.entries()) {
    const before = path[index - 1]
    if (!before || after.alongM - before.alongM > longestStepShare * lengthM) continue
    const crossing = crossingWithin(before, after)
    const plusMinusMs = accuracy.plusMinusMs(crossing, crossing)
    const last = Math.floor(after.alongM / everyM)
    for (let place = Math.floor(before.alongM / everyM) + 1; place <= last; place++)
      passes[((place % count) + count) % count]?.push(plusMinusMs)
  }
  const medians = passes.map(each => upperMedian(each) ?? Number.POSITIVE_INFINITY)
  const leastMs = leastOf(medians)
  const isPoorAtStart = (medians[0] ?? 0) > poorPlusMinusMs
  return isPoorAtStart && Number.isFinite(leastMs) ? medians.indexOf(leastMs) / count : 0
}

/** Returns a crossing of a line between two places of a car. */
function crossingWithin(before: Progress, after: Progress) {
  const reportedM = Math.max(before.fix.accuracyM ?? 0, after.fix.accuracyM ?? 0)
  const gapMs = after.fix.atMs - before.fix.atMs
  return {
    atMs: after.fix.atMs,
    speedMps: Math.max(parkedMps, (before.fix.speedMps + after.fix.speedMps) / 2),
    // A receiver that is wrong by more than the width of a circuit reports an accuracy that is too good.
    accuracyM: reportedM === 0 ? null : Math.max(reportedM, before.offM, after.offM),
    atArrival: false,
    gapMs,
    isSeen: gapMs <= longestSeenMs,
  }
}
