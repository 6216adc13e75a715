import type { Point, Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, pointAtProgress, type Track, trackOf } from '#contract/shared/track.ts'

/** The start/finish line, as the place where a car crosses it. */
export interface Gate {
  /** A point of the line, near the middle of the road. */
  readonly point: Point
  /** Unit vector in driving direction, at a right angle to the line. */
  readonly direction: Point
}

/** A closed outline whose lap begins and ends at its gate. */
export interface TimedCircuit {
  readonly track: Track
  readonly gate: Gate
}

/** Length over which the direction of the road is measured at the line. */
const directionOverM = 30

/** Returns the circuit with its lap starting at the place of the outline that is nearest to `line`. */
export function circuitFrom(outline: readonly Position[], line?: Position): TimedCircuit {
  const track = trackOf(outline)
  const started = line ? trackOf(startingAt(track, nearestOnTrack(track, line).alongM)) : track
  return { track: started, gate: gateAtStart(started, line && started.plane.toPoint(line)) }
}

/** The outline with its start moved by `alongM` in driving direction. */
function startingAt(track: Track, alongM: number): Position[] {
  const corners = track.points.slice(0, -1)
  const after = corners.filter((_, index) => (track.alongM[index] ?? 0) > alongM)
  const before = corners.filter((_, index) => (track.alongM[index] ?? 0) < alongM)
  const start = pointAtProgress(track, alongM / track.lengthM)
  return [start, ...after, ...before].map(track.plane.toPosition)
}

function gateAtStart(track: Track, line: Point | undefined): Gate {
  const share = directionOverM / 2 / track.lengthM
  const from = pointAtProgress(track, -share)
  const to = pointAtProgress(track, share)
  const lengthM = Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
  const direction = {
    eastM: (to.eastM - from.eastM) / lengthM,
    northM: (to.northM - from.northM) / lengthM,
  }
  return { point: line ?? pointAtProgress(track, 0), direction }
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
