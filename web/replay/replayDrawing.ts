import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import { isNearTrack, type Position } from '#contract/shared/geo.ts'
import { trackOf } from '#contract/shared/track.ts'

/** Longer side of the line, and the margin around it, in drawing units. */
const lineUnits = 840
const marginUnits = 60

/** The line on which the car drives, projected into a drawing whose top is north. */
export interface ReplayDrawing {
  readonly width: number
  readonly height: number
  /** The line as the `d` attribute of a path. */
  readonly line: string
  /** The circuit, whose credit must be shown; null if the line is one that was driven. */
  readonly circuit: OutlinedCircuit | null
  readonly place: (position: Position) => { x: number; y: number }
}

/** A circuit of the team, or a shipped one. */
interface OutlinedCircuit {
  readonly name: string | null
  readonly attribution: string | null
  readonly outline: readonly Position[]
}

/**
 * Draws the session's circuit. While that is not known, such as without lap timing, it draws the shipped circuit at
 * which the drive took place, or else the driven line itself.
 */
export function replayDrawing(
  driven: readonly Position[],
  known: OutlinedCircuit | null = null,
): ReplayDrawing | null {
  const first = known?.outline[0] ?? driven[0]
  if (!first) return null
  const circuit = known ?? circuits.find(({ outline }) => isNearTrack(first, outline)) ?? null
  const outline = circuit?.outline ?? driven
  // A track has three points at least, and is closed.
  const { plane, points } = trackOf(outline.length < 3 ? [first, first, first] : outline)
  const wests = points.map(({ eastM }) => eastM)
  const norths = points.map(({ northM }) => northM)
  const westM = leastOf(wests)
  const topM = greatestOf(norths)
  const wideM = greatestOf(wests) - westM
  const tallM = topM - leastOf(norths)
  // A parked car has no extent.
  const scale = lineUnits / Math.max(wideM, tallM, 50)
  const place = (position: Position) => {
    const { eastM, northM } = plane.toPoint(position)
    return {
      x: marginUnits + (eastM - westM) * scale,
      y: marginUnits + (topM - northM) * scale,
    }
  }
  return {
    width: wideM * scale + 2 * marginUnits,
    height: tallM * scale + 2 * marginUnits,
    line: pathOf(outline.map(place)) + (circuit ? 'Z' : ''),
    circuit,
    place,
  }
}

/** Returns the `d` attribute of a path through these points. */
export function pathOf(points: readonly { x: number; y: number }[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')
}
