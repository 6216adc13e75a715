import { centreOf, lengthOf, type Point, type Position } from '#contract/shared/geo.ts'
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

/** A line farther from the outline than this is moved onto it: the phone that set it had poor reception. */
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

/** Returns the metres along the lap to the place of the outline that is nearest to a line. */
export function alongLineM(track: Track, line: Line): number {
  return nearestOnTrack(track, middleOf(line)).alongM
}

/** Returns the middle of a line with two ends. Its angle to the road is not used: most lines are drawn by hand. */
function middleOf(line: Line): Position {
  return 'latitude' in line ? line : centreOf(line)
}

/** Returns the outline with its start moved by `alongM` in driving direction. */
function startingAt(track: Track, alongM: number): Position[] {
  const corners = track.points.slice(0, -1)
  const after = corners.filter((_, index) => (track.alongM[index] ?? 0) > alongM)
  const before = corners.filter((_, index) => (track.alongM[index] ?? 0) < alongM)
  const start = pointAtProgress(track, alongM / track.lengthM)
  return [start, ...after, ...before].map(track.plane.toPosition)
}

function gateAtStart(track: Track, line?: Line): Gate {
  const start = gateAt(track, 0)
  const gate = line ? { ...start, point: track.plane.toPoint(middleOf(line)) } : start
  return besideGateM(gate, start.point) <= besideOutlineM ? gate : start
}

/** Returns a line across the road at a share of the lap. */
export function gateAt(track: Track, progress: number): Gate {
  const share = directionOverM / 2 / track.lengthM
  const from = pointAtProgress(track, progress - share)
  const to = pointAtProgress(track, progress + share)
  const eastM = to.eastM - from.eastM
  const northM = to.northM - from.northM
  const lengthM = lengthOf(eastM, northM)
  const direction = { eastM: eastM / lengthM, northM: northM / lengthM }
  return { point: pointAtProgress(track, progress), direction }
}

/** Returns the distance of a point past the line in driving direction: negative before it. */
export function pastGateM({ point, direction }: Gate, { eastM, northM }: Point): number {
  return (eastM - point.eastM) * direction.eastM + (northM - point.northM) * direction.northM
}

/** Returns the distance of a point from the line's middle, along the line. */
export function besideGateM({ point, direction }: Gate, { eastM, northM }: Point): number {
  return Math.abs(
    (eastM - point.eastM) * direction.northM - (northM - point.northM) * direction.eastM,
  )
}

/** Returns the area inside the outline in square metres: positive if it is driven anticlockwise. */
export function signedAreaM2(points: readonly Point[]): number {
  let twice = 0
  for (const [index, to] of points.entries()) {
    const from = points.at(index - 1) ?? to
    twice += from.eastM * to.northM - to.eastM * from.northM
  }
  return twice / 2
}
