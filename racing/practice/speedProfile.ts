import type { Point, Position } from '#contract/shared/geo.ts'
import { pointAtProgress, trackOf } from '#contract/shared/track.ts'

/** A point of a simulated lap, with time and speed. */
export interface PaceNode extends Position {
  readonly atS: number
  readonly speedMps: number
}

const gMps2 = 9.81

/** Limits of a GT car on slicks, tuned to the lap times of amateur drivers. */
const car = {
  topMps: 250 / 3.6,
  cornerMps2: 1.5 * gMps2,
  brakeMps2: 1.1 * gMps2,
  /** Acceleration limit of the tyres at low speed. */
  launchMps2: 0.6 * gMps2,
  /** Power at the wheels per kilogram. */
  wattsPerKg: 210,
}

/** Drag coefficient per mass: drag grows with the square of speed and takes all power at top speed. */
const dragPerM = car.wattsPerKg / car.topMps ** 3

const nodeEveryM = 5

/**
 * Half width of the averaging window. The outline follows the middle of the road in straight pieces, which
 * a car rounds off within the width of the road.
 */
const smoothM = 20

/**
 * Computes a flying lap of an outline, from start/finish to start/finish, as fast as grip and power allow. The
 * last node repeats the first one, a lap later.
 */
export function flyingLap(outline: readonly Position[]): PaceNode[] {
  const track = trackOf(outline)
  const count = Math.round(track.lengthM / nodeEveryM)
  const evenly = Array.from({ length: count }, (_, index) => pointAtProgress(track, index / count))
  const line = smoothed(evenly, Math.round(smoothM / nodeEveryM))
  const stepsM = line.map((point, index) => apartM(point, around(line, index + 1)))
  const speedsMps = speedsAlong(cornerSpeedsMps(line), stepsM)

  const nodes: PaceNode[] = []
  let atS = 0
  for (let index = 0; index <= count; index++) {
    const speedMps = around(speedsMps, index)
    nodes.push({ ...track.plane.toPosition(around(line, index)), atS, speedMps })
    atS += (2 * around(stepsM, index)) / (speedMps + around(speedsMps, index + 1))
  }
  return nodes
}

/** Applies a moving average twice around the closed lap, which turns kinks into curves. */
function smoothed(line: readonly Point[], reach: number): Point[] {
  const once = (points: readonly Point[]) =>
    points.map((_, index) => {
      let eastM = 0
      let northM = 0
      for (let by = -reach; by <= reach; by++) {
        eastM += around(points, index + by).eastM
        northM += around(points, index + by).northM
      }
      return { eastM: eastM / (2 * reach + 1), northM: northM / (2 * reach + 1) }
    })
  return once(once(line))
}

/** Returns the speed limit of each point by lateral grip alone. */
function cornerSpeedsMps(line: readonly Point[]): number[] {
  return line.map((point, index) => {
    const radiusM = turnRadiusM(around(line, index - 2), point, around(line, index + 2))
    return Math.min(car.topMps, Math.sqrt(car.cornerMps2 * radiusM))
  })
}

/** Limits the speeds by acceleration (forwards) and braking (backwards) between the points. */
function speedsAlong(cornerMps: readonly number[], stepsM: readonly number[]): number[] {
  const speeds = [...cornerMps]
  const count = speeds.length
  // Two rounds: the second one starts at the final speed of the first one.
  for (let index = 0; index < 2 * count; index++) {
    const mps = around(speeds, index)
    const canMps = Math.sqrt(mps ** 2 + 2 * powerMps2(mps) * around(stepsM, index))
    const next = (index + 1) % count
    speeds[next] = Math.min(around(speeds, next), canMps)
  }
  for (let index = 2 * count; index > 0; index--) {
    const mps = around(speeds, index)
    const canMps = Math.sqrt(mps ** 2 + 2 * car.brakeMps2 * around(stepsM, index - 1))
    const before = (index - 1) % count
    speeds[before] = Math.min(around(speeds, before), canMps)
  }
  return speeds
}

function powerMps2(mps: number): number {
  const pull = Math.min(car.launchMps2, car.wattsPerKg / Math.max(mps, 1))
  return Math.max(0, pull - dragPerM * mps ** 2)
}

/** Returns the radius of the circle through three points; infinite on a straight. */
function turnRadiusM(before: Point, here: Point, after: Point): number {
  const twiceArea = Math.abs(
    (here.eastM - before.eastM) * (after.northM - before.northM) -
      (here.northM - before.northM) * (after.eastM - before.eastM),
  )
  const sides = apartM(before, here) * apartM(here, after) * apartM(before, after)
  return twiceArea === 0 ? Number.POSITIVE_INFINITY : sides / (2 * twiceArea)
}

function apartM(from: Point, to: Point): number {
  return Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
}

/** Returns the item at an index modulo the length, as the lap is closed. */
function around<T>(items: readonly T[], index: number): T {
  const item = items[((index % items.length) + items.length) % items.length]
  if (item === undefined) throw new RangeError('A lap needs at least one point.')
  return item
}
