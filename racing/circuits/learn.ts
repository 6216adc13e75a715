import { longestCircuitM, shortestCircuitM } from '#contract/shared/bounds.ts'
import { type Point, type Position, planeAround } from '#contract/shared/geo.ts'
import { pointAtProgress, type Track, trackOf } from '#contract/shared/track.ts'
import type { PlacedFix, RacingFix } from '../fix.ts'
import { upperMedian } from './accuracy.ts'
import { closureOf, type DrivenFix } from './closure.ts'
import { defaultLineShare } from './defaultLine.ts'
import { signedAreaM2 } from './outline.ts'
import { areTooRare, closedLengthM, isSeveralLaps } from './plausible.ts'
import { type Progress, ProgressMatcher } from './progressMatcher.ts'
import { curveThrough, fittedCurve, type LapPoint } from './smooth.ts'

/** A circuit's outline as a car drove it, closed, from where its first lap was closed. */
export interface LearnedCircuit {
  readonly outline: readonly Position[]
  /** A point of the start/finish line that is used until a member sets another one. */
  readonly line: Position
  readonly lengthM: number
  readonly direction: 'clockwise' | 'anticlockwise'
  /** Whole laps of which the outline is the average. */
  readonly laps: number
  /** Distance from the outline within which 95 % of their fixes are; null before there is an average. */
  readonly errorM: number | null
}

/** Distance between points of the outline. */
const outlineEveryM = 8

/** Fewest laps whose average has smaller errors than a single lap. */
const lapsToAverage = 3

/**
 * Width of the averaging kernel: the largest of this distance, this many fixes, and this many median deviations, up to a
 * deviation that no receiver needs: a wider kernel takes longer.
 */
const leastKernelM = 6
const kernelFixes = 3
const kernelDeviations = 2
const mostDeviationM = 50

/** A fix gets no more weight for a better reported accuracy than this. */
const bestAccuracyM = 3

/** Fixes farther from the outline than this (or twice the reported accuracy) were not on the circuit. */
const onCircuitM = 30

const rounds = 2

/** Fixes that are matched in one step. */
const fixesPerStep = 20

/** A fix is a spike if the way over it is longer than twice the direct way by more than this. */
const spikeM = 60

/** A slower car does not move: its positions differ only by the receiver's error. */
export const stillMps = 1

/** Speeds and directions are measured over at least this distance. */
const headingOverM = 8

/**
 * Learns the circuit of a drive from its fixes, in order of time: one of 200 m to 100 km, with laps of 5 s or more.
 * Returns null as long as no lap was closed, and if the fixes are too rare to show one. It takes some tenths of a second
 * for an hour, and never throws.
 */
export function learnCircuit(fixes: readonly RacingFix[]): LearnedCircuit | null {
  const steps = learnSteps(fixes)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Learns the same in steps of about a millisecond each. */
export function* learnSteps(
  all: readonly RacingFix[],
): Generator<undefined, LearnedCircuit | null, undefined> {
  const [first] = all
  if (!first) return null
  const plane = planeAround(first)
  const fixes = withoutSpikes(all, plane.toPoint)
  const driven = yield* drivenFixes(fixes, plane.toPoint)
  if (areTooRare(driven)) return null
  const closure = yield* closureOf(driven)
  if (!closure) return null
  const lap = thinned(driven.slice(closure.from, closure.to))
  if (lap.length < 3 || closedLengthM(lap) > longestCircuitM) return null
  let track = trackOf(curveThrough(lap, outlineEveryM).map(plane.toPosition))
  // The position of a receiver without reception may stay where it was, with the last speed.
  if (
    track.lengthM < shortestCircuitM / 2 ||
    track.lengthM > longestCircuitM ||
    isSeveralLaps(track)
  )
    return null
  let laps = 1
  let errorM: number | null = null
  let lineShare = 0
  for (let round = 0; round < rounds; round++) {
    const { path, points, lapsDriven, deviationsM } = yield* lapPoints(driven, {
      track,
      toPosition: plane.toPosition,
    })
    lineShare = defaultLineShare(path, track.lengthM)
    if (lapsDriven < lapsToAverage) break
    laps = Math.floor(lapsDriven)
    errorM = deviationsM[Math.floor(deviationsM.length * 0.95)] ?? null
    track = yield* averaged(points, track, upperMedian(deviationsM) ?? 0)
  }
  return {
    outline: track.points.map(track.plane.toPosition),
    line: track.plane.toPosition(pointAtProgress(track, lineShare)),
    lengthM: track.lengthM,
    direction: signedAreaM2(track.points.slice(0, -1)) > 0 ? 'anticlockwise' : 'clockwise',
    laps,
    errorM,
  }
}

/**
 * Drops single fixes far from those before and after them: one of them would lengthen the first lap by twice its error.
 */
function withoutSpikes(
  fixes: readonly RacingFix[],
  toPoint: (position: Position) => Point,
): RacingFix[] {
  const points = fixes.map(toPoint)
  return fixes.filter((_, index) => {
    const before = points[index - 1]
    const here = points[index] as Point
    const after = points[index + 1]
    if (!before || !after) return true
    return apartM(before, here) + apartM(here, after) <= 2 * apartM(before, after) + spikeM
  })
}

/** Adds speed, direction and odometer, where the receiver reports none, from the distances between fixes. */
function* drivenFixes(
  fixes: readonly RacingFix[],
  toPoint: (position: Position) => Point,
): Generator<undefined, DrivenFix[]> {
  const driven: DrivenFix[] = []
  let last: DrivenFix | undefined
  for (const [index, { atMs, speedMps, headingDeg, accuracyM, ...position }] of fixes.entries()) {
    if (index % (10 * fixesPerStep) === 0) yield
    const here = toPoint(position)
    let back = Math.max(0, index - 1)
    while (back > 0 && apartM(driven[back] ?? here, here) < headingOverM && index - back < 50)
      back--
    const from = driven[back] ?? { ...here, atMs }
    const forMs = atMs - from.atMs
    const mps = speedMps ?? (forMs > 0 ? (apartM(from, here) / forMs) * 1000 : 0)
    const stepM = last ? (((mps + last.speedMps) / 2) * (atMs - last.atMs)) / 1000 : 0
    last = {
      ...here,
      atMs,
      accuracyM,
      drivenM: (last?.drivenM ?? 0) + stepM,
      speedMps: mps,
      headingDeg: headingDeg ?? headingOf(from, here),
    }
    driven.push(last)
  }
  return driven
}

function headingOf(from: Point, to: Point): number {
  const degrees = (Math.atan2(to.eastM - from.eastM, to.northM - from.northM) * 180) / Math.PI
  return (degrees + 360) % 360
}

/** Keeps fixes at least a point of the outline apart, so that a receiver's noise does not lengthen the lap. */
function thinned(lap: readonly DrivenFix[]): DrivenFix[] {
  const kept: DrivenFix[] = []
  for (const fix of lap) {
    const last = kept.at(-1)
    if (!last || fix.drivenM - last.drivenM >= outlineEveryM) kept.push(fix)
  }
  return kept
}

interface LapPoints {
  readonly path: readonly Progress[]
  readonly points: LapPoint[]
  readonly lapsDriven: number
  readonly deviationsM: number[]
}

/**
 * Returns the path of the car along the outline, its fixes on the circuit, the number of laps that they cover, and
 * their distances from the outline in ascending order.
 */
function* lapPoints(
  driven: readonly DrivenFix[],
  { track, toPosition }: { track: Track; toPosition: (point: Point) => Position },
): Generator<undefined, LapPoints> {
  const matcher = new ProgressMatcher(track)
  const points: LapPoint[] = []
  const deviationsM: number[] = []
  let wayM = 0
  const matched: Progress[] = []
  for (const [index, { eastM, northM, atMs, speedMps, accuracyM }] of driven.entries()) {
    if (index % fixesPerStep === 0) yield
    const point = track.plane.toPoint(toPosition({ eastM, northM }))
    const fix: PlacedFix = { ...point, atMs, speedMps, accuracyM }
    if (speedMps < stillMps) {
      matcher.park(fix)
      continue
    }
    matcher.add(fix)
    for (let place = matcher.next(); place; place = matcher.next()) matched.push(place)
  }
  const path = [...matched, ...matcher.finish()]
  for (const { fix, alongM, offM, besideM, drivenM } of path) {
    if (offM > Math.max(onCircuitM, 2 * (fix.accuracyM ?? 0))) continue
    wayM += drivenM
    const { lengthM } = track
    deviationsM.push(Math.abs(besideM))
    points.push({
      alongM: ((alongM % lengthM) + lengthM) % lengthM,
      eastM: fix.eastM,
      northM: fix.northM,
      weight: Math.max(bestAccuracyM, fix.accuracyM ?? 0) ** -2,
    })
  }
  deviationsM.sort((a, b) => a - b)
  return { path, points, lapsDriven: wayM / track.lengthM, deviationsM }
}

function* averaged(
  points: readonly LapPoint[],
  track: Track,
  deviationM: number,
): Generator<undefined, Track> {
  const { lengthM } = track
  const spacingM = lengthM / points.length
  const kernelM = Math.max(
    leastKernelM,
    kernelFixes * spacingM,
    kernelDeviations * Math.min(deviationM, mostDeviationM),
  )
  const curve = yield* fittedCurve(points, {
    lengthM,
    everyM: outlineEveryM,
    kernelM,
    earlier: alongM => pointAtProgress(track, alongM / lengthM),
  })
  return trackOf(curve.map(track.plane.toPosition))
}

function apartM(from: Point, to: Point): number {
  return Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
}
