import type { Point } from '#contract/shared/geo.ts'

/** A point of a lap, at a distance from its start. */
export interface LapPoint extends Point {
  readonly alongM: number
  /** How much it counts. */
  readonly weight: number
}

/**
 * Draws a closed curve through points (a centripetal Catmull-Rom spline: Yuksel, Schaefer and Keyser, 2011), with
 * a point about every `everyM`. Averaging would shorten the lap.
 */
export function curveThrough(points: readonly Point[], everyM: number): Point[] {
  const at = (index: number) => points[(index + points.length) % points.length] as Point
  return points.flatMap((from, index) => {
    const to = at(index + 1)
    const pieces = Math.min(mostPieces, Math.max(1, Math.round(apartM(from, to) / everyM)))
    const four: Four = [at(index - 1), from, to, at(index + 2)]
    return Array.from({ length: pieces }, (_, piece) => onCurve(four, piece / pieces))
  })
}

/** Maximum number of points with which a gap in reception is drawn. */
const mostPieces = 100

type Four = [before: Point, from: Point, to: Point, after: Point]

function onCurve([before, from, to, after]: Four, share: number): Point {
  // Knots at the square roots of the distances.
  const t1 = Math.sqrt(Math.max(apartM(before, from), 0.01))
  const t2 = t1 + Math.sqrt(Math.max(apartM(from, to), 0.01))
  const t3 = t2 + Math.sqrt(Math.max(apartM(to, after), 0.01))
  const t = t1 + (t2 - t1) * share
  const a1 = mixed(before, from, t / t1)
  const a2 = mixed(from, to, (t - t1) / (t2 - t1))
  const a3 = mixed(to, after, (t - t2) / (t3 - t2))
  const b1 = mixed(a1, a2, t / t2)
  const b2 = mixed(a2, a3, (t - t1) / (t3 - t1))
  return mixed(b1, b2, (t - t1) / (t2 - t1))
}

/** Places that are fitted in one step. */
const placesPerStep = 10

/** Gaussian weights end at this many kernel widths. */
const kernelReach = 3

/**
 * Fits a closed curve to the points of several laps, with a point every `everyM`: at each place a parabola through
 * the points around it, weighted by a Gaussian kernel. Places without enough points keep their place of `earlier`.
 */
export function* fittedCurve(
  points: readonly LapPoint[],
  {
    lengthM,
    everyM,
    kernelM,
    earlier,
  }: {
    lengthM: number
    everyM: number
    kernelM: number
    earlier: (alongM: number) => Point
  },
): Generator<undefined, Point[]> {
  const sorted = [...points].sort((one, other) => one.alongM - other.alongM)
  const count = Math.round(lengthM / everyM)
  const curve: Point[] = []
  for (let index = 0; index < count; index++) {
    if (index % placesPerStep === 0) yield
    const alongM = (index / count) * lengthM
    const near = aroundM(sorted, { alongM, lengthM, reachM: kernelReach * kernelM })
    curve.push(parabolaAt(near, kernelM) ?? earlier(alongM))
  }
  return curve
}

/** Returns the points within `reachM`, with their distance from the place. */
function aroundM(
  sorted: readonly LapPoint[],
  { alongM, lengthM, reachM }: { alongM: number; lengthM: number; reachM: number },
): LapPoint[] {
  const found: LapPoint[] = []
  for (const turn of [-lengthM, 0, lengthM]) {
    const from = alongM - reachM - turn
    for (let index = firstFrom(sorted, from); index < sorted.length; index++) {
      const point = sorted[index] as LapPoint
      const offM = point.alongM + turn - alongM
      if (offM > reachM) break
      found.push({ ...point, alongM: offM })
    }
  }
  return found
}

function firstFrom(sorted: readonly LapPoint[], alongM: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as LapPoint).alongM < alongM) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the value at 0 of the parabolas fitted to east and north; null with fewer than six points or no spread. */
function parabolaAt(points: readonly LapPoint[], kernelM: number): Point | null {
  if (points.length < 6) return null
  // Sums of weight × u^n, and of the same × east and × north, with u in kernel widths.
  const power = [0, 0, 0, 0, 0]
  const east = [0, 0, 0]
  const north = [0, 0, 0]
  for (const { alongM, eastM, northM, weight } of points) {
    const u = alongM / kernelM
    let weighted = weight * Math.exp(-(u ** 2) / 2)
    for (let n = 0; n < 5; n++) {
      power[n] = (power[n] as number) + weighted
      if (n < 3) {
        east[n] = (east[n] as number) + weighted * eastM
        north[n] = (north[n] as number) + weighted * northM
      }
      weighted *= u
    }
  }
  const [p0, p1, p2, p3, p4] = power as [number, number, number, number, number]
  // The first row of the inverse of the normal equations, by cofactors.
  const c0 = p2 * p4 - p3 * p3
  const c1 = p2 * p3 - p1 * p4
  const c2 = p1 * p3 - p2 * p2
  const determinant = p0 * c0 + p1 * c1 + p2 * c2
  if (determinant < 1e-6 * p0 ** 3) return null
  const valueOf = ([s0, s1, s2]: number[]) =>
    ((s0 as number) * c0 + (s1 as number) * c1 + (s2 as number) * c2) / determinant
  return { eastM: valueOf(east), northM: valueOf(north) }
}

function mixed(from: Point, to: Point, share: number): Point {
  return {
    eastM: from.eastM + (to.eastM - from.eastM) * share,
    northM: from.northM + (to.northM - from.northM) * share,
  }
}

function apartM(from: Point, to: Point): number {
  return Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
}
