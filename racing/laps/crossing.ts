import { besideGateM, type Gate, pastGateM } from '../circuit/outline.ts'
import { type PlacedFix, parkedMps } from '../fix.ts'

/** A car on the start/finish line. */
export interface Crossing {
  readonly atMs: number
  readonly speedMps: number
  /** As the receiver claims; null if it claims nothing. */
  readonly accuracyM: number | null
  /** True if the time of a fix at the line is that of its arrival. */
  readonly atArrival: boolean
  /** Time between the fixes before and after the line. */
  readonly gapMs: number
  /** False after a gap in reception of more than 3 s: the time is then only approximate. */
  readonly isSeen: boolean
}

/** Longest time between two fixes in which a crossing counts as seen. */
const longestSeenMs = 3000

/** Half width of the line: at least the first, and three times the receiver's claim. */
const halfWidthM = 25
const halfWidthAccuracies = 3

/**
 * Finds the crossing nearest to `aroundMs` in fixes in order of time. Between the two fixes around the line, the
 * car moves along a cubic that has their speeds. Returns null if no pair of fixes crosses the line.
 */
export function crossingNear(
  gate: Gate,
  fixes: readonly PlacedFix[],
  aroundMs: number,
): Crossing | null {
  let nearest: Crossing | null = null
  for (let index = 1; index < fixes.length; index++) {
    const crossing = crossingBetween(gate, fixes[index - 1] as PlacedFix, fixes[index] as PlacedFix)
    if (!crossing) continue
    if (nearest && apartMs(crossing, aroundMs) >= apartMs(nearest, aroundMs)) continue
    nearest = crossing
  }
  return nearest
}

function apartMs({ atMs }: Crossing, aroundMs: number): number {
  return Math.abs(atMs - aroundMs)
}

function crossingBetween(gate: Gate, from: PlacedFix, to: PlacedFix): Crossing | null {
  const beforeM = pastGateM(gate, from)
  const afterM = pastGateM(gate, to)
  if (beforeM >= 0 || afterM < 0) return null
  const gapMs = to.atMs - from.atMs
  const share = shareOfWay({ beforeM, afterM, from, to })
  const speedMps = from.speedMps + (to.speedMps - from.speedMps) * share
  if (speedMps < parkedMps) return null
  const accuracyM = largest(from.accuracyM, to.accuracyM)
  const besideM = besideGateM(gate, {
    eastM: from.eastM + (to.eastM - from.eastM) * share,
    northM: from.northM + (to.northM - from.northM) * share,
  })
  const isSeen = gapMs <= longestSeenMs
  const widthM = Math.max(halfWidthM, halfWidthAccuracies * (accuracyM ?? 0))
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
 * Share of the time between two fixes at which the car reaches the line: where a cubic Hermite spline through
 * both distances, with both speeds, is zero.
 */
function shareOfWay({
  beforeM,
  afterM,
  from,
  to,
}: {
  beforeM: number
  afterM: number
  from: PlacedFix
  to: PlacedFix
}): number {
  const wayM = afterM - beforeM
  const seconds = (to.atMs - from.atMs) / 1000
  // Slopes of at most three times the mean keep the cubic rising (Fritsch and Carlson, 1980).
  const startM = Math.min(3 * wayM, from.speedMps * seconds)
  const endM = Math.min(3 * wayM, to.speedMps * seconds)
  let low = 0
  let high = 1
  for (let round = 0; round < 40; round++) {
    const share = (low + high) / 2
    const square = share * share
    const cube = square * share
    const atM =
      beforeM * (2 * cube - 3 * square + 1) +
      startM * (cube - 2 * square + share) +
      afterM * (3 * square - 2 * cube) +
      endM * (cube - square)
    if (atM < 0) low = share
    else high = share
  }
  return (low + high) / 2
}

function largest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

/** A crossing of which only the matched path knows: between these fixes. */
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
