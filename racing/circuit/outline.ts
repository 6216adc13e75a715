import { type Point, type Position, planeAround } from '#contract/shared/geo.ts'
import { nearestOnTrack, pointAtProgress, type Track, trackOf } from '#contract/shared/track.ts'

/** A line across the road: a point of it, or both of its ends. */
export type Line = Position | readonly [Position, Position]

/** A line across the road, as the place where a car crosses it. */
export interface Gate {
  /** A point of the line, near the middle of the road. */
  readonly point: Point
  /** Unit vector in driving direction, at a right angle to the line. */
  readonly direction: Point
}

/** The beginning and the end of a pit lane, in metres along the lap. The line may be between them. */
export interface PitLane {
  readonly inM: number
  readonly outM: number
}

/** A closed outline whose lap begins and ends at its gate. */
export interface TimedCircuit {
  readonly track: Track
  readonly gate: Gate
  readonly pitLane?: PitLane
}

/** Length over which the direction of the road is measured at the line. */
const directionOverM = 30

/** A line with two ends counts as one across the road up to this angle to the right one. */
const leastAcross = Math.cos((50 * Math.PI) / 180)

/** A point of a line that is farther from the outline is moved to it: a phone that set it had poor reception. */
const besideOutlineM = 25

/**
 * Returns the circuit with its lap starting at the place of the outline that is nearest to `line`, or to its middle.
 * Throws RangeError if the outline has fewer than three positions.
 */
export function circuitFrom(outline: readonly Position[], line?: Line): TimedCircuit {
  const track = trackOf(outline)
  if (!line) return { track, gate: gateAtStart(track) }
  const started = trackOf(startingAt(track, alongLineM(track, line)))
  return { track: started, gate: gateAtStart(started, line) }
}

/** Metres along the lap to the place of the outline that is nearest to a line. */
export function alongLineM(track: Track, line: Line): number {
  return nearestOnTrack(track, middleOf(line)).alongM
}

function middleOf(line: Line): Position {
  if (!isPair(line)) return line
  const [one, other] = line
  const plane = planeAround(one)
  const { eastM, northM } = plane.toPoint(other)
  return plane.toPosition({ eastM: eastM / 2, northM: northM / 2 })
}

function isPair(line: Line): line is readonly [Position, Position] {
  return Array.isArray(line)
}

/** The outline with its start moved by `alongM` in driving direction. */
function startingAt(track: Track, alongM: number): Position[] {
  const corners = track.points.slice(0, -1)
  const after = corners.filter((_, index) => (track.alongM[index] ?? 0) > alongM)
  const before = corners.filter((_, index) => (track.alongM[index] ?? 0) < alongM)
  const start = pointAtProgress(track, alongM / track.lengthM)
  return [start, ...after, ...before].map(track.plane.toPosition)
}

function gateAtStart(track: Track, line?: Line): Gate {
  const share = directionOverM / 2 / track.lengthM
  const road = unit(pointAtProgress(track, -share), pointAtProgress(track, share))
  const start = pointAtProgress(track, 0)
  if (!line) return { point: start, direction: road }
  const middle = track.plane.toPoint(middleOf(line))
  const isNear =
    Math.hypot(middle.eastM - start.eastM, middle.northM - start.northM) <= besideOutlineM
  const point = isNear ? middle : start
  if (!isPair(line)) return { point, direction: road }
  const [from, to] = line.map(track.plane.toPoint) as [Point, Point]
  const along = unit(from, to)
  const across = { eastM: along.northM, northM: -along.eastM }
  const cosine = across.eastM * road.eastM + across.northM * road.northM
  // A line along the road, or one without a length, shows only where the road is crossed.
  if (!(Math.abs(cosine) >= leastAcross)) return { point, direction: road }
  const sign = Math.sign(cosine)
  return { point, direction: { eastM: sign * across.eastM, northM: sign * across.northM } }
}

/** Unit vector from one point to another; not a number if they are the same. */
function unit(from: Point, to: Point): Point {
  const lengthM = Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
  return { eastM: (to.eastM - from.eastM) / lengthM, northM: (to.northM - from.northM) / lengthM }
}

/** Distance of a point past the line in driving direction: negative before it. */
export function pastGateM({ point, direction }: Gate, { eastM, northM }: Point): number {
  return (eastM - point.eastM) * direction.eastM + (northM - point.northM) * direction.northM
}

/** Distance of a point from the line's middle, along the line. */
export function besideGateM({ point, direction }: Gate, { eastM, northM }: Point): number {
  return Math.abs(
    (eastM - point.eastM) * direction.northM - (northM - point.northM) * direction.eastM,
  )
}

/** Area inside the outline in square metres: positive if it is driven anticlockwise. */
export function signedAreaM2(points: readonly Point[]): number {
  let twice = 0
  for (const [index, to] of points.entries()) {
    const from = points.at(index - 1) ?? to
    twice += from.eastM * to.northM - to.eastM * from.northM
  }
  return twice / 2
}
