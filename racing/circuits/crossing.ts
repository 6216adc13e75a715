import { type PlacedFix, parkedMps } from '../fix.ts'
import { besideGateM, type Gate, pastGateM } from './outline.ts'

/** A car on the start/finish line. */
export interface Crossing {
  readonly atMs: number
  readonly speedMps: number
  /** As the receiver reports it; null if it does not. */
  readonly accuracyM: number | null
  /** True if a fix at the line has the time of its arrival. */
  readonly atArrival: boolean
  /** Time between the fixes before and after the line. */
  readonly gapMs: number
  /** False after a gap in reception of more than 3 s: the time is then only approximate. */
  readonly isSeen: boolean
}

/** Longest time between two fixes in which a crossing counts as seen. */
export const longestSeenMs = 3000

/** Smallest half width of the line. */
const leastHalfWidthM = 25
/** The same where the matched path passes it: it is as wide as the circuit with its pit lane. */
export const pathHalfWidthM = 60
/** Half width of the line in reported accuracies, if that is more. */
const halfWidthAccuracies = 3

/**
 * Finds the crossing nearest to `aroundMs` in fixes in order of time, by two successive fixes on either side of the
 * line, which has this half width at least. Its time assumes that the speed changes evenly between them. Returns null if
 * no such fixes cross the line.
 */
export function crossingNear(
  gate: Gate,
  fixes: readonly PlacedFix[],
  aroundMs: number,
  leastWidthM = leastHalfWidthM,
): Crossing | null {
  const apartMs = (crossing: Crossing) => Math.abs(crossing.atMs - aroundMs)
  return fixes.reduce<Crossing | null>((nearest, fix, index) => {
    const crossing = crossingBetween(gate, fixes[index - 1] ?? fix, fix, leastWidthM)
    if (!crossing) return nearest
    return nearest && apartMs(nearest) <= apartMs(crossing) ? nearest : crossing
  }, null)
}

function crossingBetween(
  gate: Gate,
  from: PlacedFix,
  to: PlacedFix,
  leastWidthM: number,
): Crossing | null {
  const beforeM = pastGateM(gate, from)
  const afterM = pastGateM(gate, to)
  if (beforeM >= 0 || afterM < 0) return null
  const gapMs = to.atMs - from.atMs
  const share = timeShare(beforeM / (beforeM - afterM), from.speedMps, to.speedMps)
  const speedMps = from.speedMps + (to.speedMps - from.speedMps) * share
  if (speedMps < parkedMps) return null
  // A reported accuracy of 0 m means that it is unknown.
  const accuracyM = Math.max(from.accuracyM ?? 0, to.accuracyM ?? 0) || null
  const besideM = besideGateM(gate, {
    eastM: from.eastM + (to.eastM - from.eastM) * share,
    northM: from.northM + (to.northM - from.northM) * share,
  })
  const isSeen = gapMs <= longestSeenMs
  const widthM = Math.max(leastWidthM, halfWidthAccuracies * (accuracyM ?? 0))
  // During a gap the car did not drive straight.
  if (isSeen && besideM > widthM) return null
  return {
    atMs: from.atMs + gapMs * share,
    speedMps,
    accuracyM,
    atArrival: isAtArrival(from, to),
    gapMs,
    isSeen,
  }
}

/**
 * Returns the share of the time between two fixes after which the car has driven this share of the distance, if its
 * speed changes evenly.
 */
function timeShare(distanceShare: number, fromMps: number, toMps: number): number {
  // Solves the share of the distance at constant acceleration, (2 × from × t + (to − from) × t²) / (from + to), for t.
  const sum = fromMps + toMps
  if (sum === 0) return distanceShare
  return (
    (distanceShare * sum) /
    (fromMps + Math.sqrt(fromMps ** 2 + (toMps - fromMps) * sum * distanceShare))
  )
}

/** Returns a crossing between these fixes that only the matched path shows. */
export function unseenCrossing(atMs: number, before: PlacedFix, after: PlacedFix): Crossing {
  return {
    atMs,
    speedMps: Math.max(parkedMps, (before.speedMps + after.speedMps) / 2),
    accuracyM: after.accuracyM,
    atArrival: isAtArrival(before, after),
    gapMs: after.atMs - before.atMs,
    isSeen: false,
  }
}

function isAtArrival(before: PlacedFix, after: PlacedFix): boolean {
  return before.atArrival === true || after.atArrival === true
}
