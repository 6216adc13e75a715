import type { Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, pointAtProgress } from '#contract/shared/track.ts'
import { type Drawing, pathOf, type Spot, turnAt } from './drawing.ts'

/** Least distance of the lane from the middle of the track, in drawing units, so that both can be seen. */
const besideUnits = 34

/** Pieces of the lane. */
const pieces = 40

/** Share of the lane at either end in which it leaves and joins the track. */
const rampShare = 0.2

/**
 * Returns the `d` attribute of a line from pit in to pit out. The lane itself is not known: the line follows the track,
 * on the side of the gate that is farther from it.
 */
export function pitLanePath(drawing: Drawing, pitIn: Position, pitOut: Position): string {
  const { track, place } = drawing
  const from = besideTrack(drawing, pitIn)
  const to = besideTrack(drawing, pitOut)
  const farther = Math.abs(from.offUnits) > Math.abs(to.offUnits) ? from : to
  const side = Math.sign(farther.offUnits) || 1
  const shareOfLap = (to.progress - from.progress + 1) % 1
  const spots = Array.from({ length: pieces - 1 }, (_, index): Spot => {
    const share = (index + 1) / pieces
    const progress = from.progress + share * shareOfLap
    const ends = from.offUnits + (to.offUnits - from.offUnits) * share
    const lane = side * Math.max(besideUnits, side * ends)
    const ramp = Math.min(1, share / rampShare, (1 - share) / rampShare)
    return beside(place(pointAtProgress(track, progress)), turnAt(track, progress), {
      units: ends + (lane - ends) * ramp,
    })
  })
  return pathOf([from.spot, ...spots, to.spot])
}

/** Returns a gate in the drawing, and its distance to the right of the track; to the left it is negative. */
function besideTrack({ track, place }: Drawing, gate: Position) {
  const { point, progress } = nearestOnTrack(track, gate)
  const spot = place(track.plane.toPoint(gate))
  const { x, y } = place(point)
  const turn = turnAt(track, progress)
  const offUnits = (spot.y - y) * Math.cos(turn) - (spot.x - x) * Math.sin(turn)
  return { spot, progress, offUnits }
}

function beside({ x, y }: Spot, turn: number, { units }: { units: number }): Spot {
  return { x: x - Math.sin(turn) * units, y: y + Math.cos(turn) * units }
}
