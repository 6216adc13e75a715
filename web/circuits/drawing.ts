import type { Circuit } from '#contract/shared/circuits/circuit.ts'
import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import type { Point, Position } from '#contract/shared/geo.ts'
import {
  nearestOnTrack,
  pointAtProgress,
  type Track,
  trackOf,
  trailBehind,
} from '#contract/shared/track.ts'

/** Longer side of the outline, in drawing units. */
const outlineUnits = 840
/** Margin around the outline for its stroke, the car and its label. */
const marginUnits = 60
/** Distance from the car to its label, towards the inside of the track. */
const labelUnits = 108
/** A label closer than this to the track would cover it. */
const labelRoomUnits = 50
/** Distance from start/finish to the arrow. */
const arrowUnits = 58
/** Farther than this from the track the car is off it, and leaves no trail. */
export const onTrackM = 60
/** Length of the trail, as a share of the lap. */
const trailShare = 0.075

/** The direction of the road at a place is measured over this length. */
const directionOverM = 30

/** A circuit, shipped, learned or imported, as far as it is drawn. */
export interface DrawnCircuit {
  readonly id: string
  /** Null if nobody has named it. */
  readonly name: string | null
  /** The credit to show with the outline. */
  readonly attribution: string | null
  readonly direction: 'clockwise' | 'anticlockwise'
  /** In driving direction. */
  readonly outline: readonly Position[]
  /** Start/finish. */
  readonly line: Position
}

export function drawnShipped({ startFinish, ...circuit }: Circuit): DrawnCircuit {
  return { ...circuit, line: startFinish }
}

/** Returns the same circuit driven the other way round. */
export function reversedCircuit(circuit: DrawnCircuit): DrawnCircuit {
  const direction = circuit.direction === 'clockwise' ? 'anticlockwise' : 'clockwise'
  return { ...circuit, direction, outline: circuit.outline.toReversed() }
}

/** A point in drawing coordinates: x to the right, y down. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** The drawing of a circuit. Computed once per circuit. */
export interface Drawing {
  readonly circuit: DrawnCircuit
  readonly track: Track
  readonly width: number
  readonly height: number
  /** True if it is turned a quarter clockwise: north is at the right. */
  readonly isTurned: boolean
  /** Points of the outline, and the same as the `d` attribute of a path. */
  readonly spots: readonly Spot[]
  readonly outline: string
  /**
   * Start/finish and the direction of travel there, in degrees clockwise from the x axis. `arrow` is
   * the offset of the arrow, to the right of the cars if positive.
   */
  readonly start: Spot & { readonly turnDeg: number; readonly arrow: number }
  readonly place: (point: Point) => Spot
  /** Reverses `place`. */
  readonly pointAt: (spot: Spot) => Point
}

/** A turned circuit is larger by this factor, or it is not turned: people know it with north at the top. */
const worthTurning = 1.3

/** Returns whether a drawing with north at the top becomes much larger in a box if the circuit is turned. */
export function isLargerTurned(
  { width, height }: Pick<Drawing, 'width' | 'height'>,
  box: { readonly width: number; readonly height: number },
): boolean {
  const scale = (wide: number, tall: number) => Math.min(box.width / wide, box.height / tall)
  return scale(height, width) > worthTurning * scale(width, height)
}

/** The car's point in the drawing. */
export interface CarSpot extends Spot {
  readonly label: Spot
  /** The `d` attribute of the trail's path; empty off the track. */
  readonly trail: string
  /** Share of the lap, 0 at start/finish. */
  readonly progress: number
}

/** Draws a circuit with north at the top, or turned, which suits a box that is wider or taller than the circuit. */
export function drawingOf(circuit: DrawnCircuit, isTurned = false): Drawing {
  const track = trackOf(circuit.outline)
  const easts = track.points.map(({ eastM }) => eastM)
  const norths = track.points.map(({ northM }) => northM)
  const westM = leastOf(easts)
  const [southM, topM] = [leastOf(norths), greatestOf(norths)]
  const eastwardM = greatestOf(easts) - westM
  const northwardM = topM - southM
  const [wideM, tallM] = isTurned ? [northwardM, eastwardM] : [eastwardM, northwardM]
  const scale = outlineUnits / Math.max(wideM, tallM)
  const place = ({ eastM, northM }: Point): Spot => ({
    x: marginUnits + (isTurned ? northM - southM : eastM - westM) * scale,
    y: marginUnits + (isTurned ? eastM - westM : topM - northM) * scale,
  })
  const pointAt = ({ x, y }: Spot): Point => {
    const [right, down] = [(x - marginUnits) / scale, (y - marginUnits) / scale]
    return isTurned
      ? { eastM: westM + down, northM: southM + right }
      : { eastM: westM + right, northM: topM - down }
  }
  const spots = track.points.map(place)
  const { x, y, turnDeg } = gateSpot({ track, place, isTurned }, circuit.line)
  const start = { x, y }
  return {
    circuit,
    track,
    isTurned,
    spots,
    width: wideM * scale + 2 * marginUnits,
    height: tallM * scale + 2 * marginUnits,
    outline: `${pathOf(spots)}Z`,
    start: { ...start, turnDeg, arrow: arrowSide(spots, start, turnDeg) },
    place,
    pointAt,
  }
}

/** A line across the road, and the direction of travel there in degrees clockwise from the x axis. */
export function gateSpot(
  { track, place, isTurned }: Pick<Drawing, 'track' | 'place' | 'isTurned'>,
  at: Position,
): Spot & { turnDeg: number } {
  const { progress } = nearestOnTrack(track, at)
  const turnDeg = (turnAt(track, progress) * 180) / Math.PI + (isTurned ? 90 : 0)
  return { ...place(track.plane.toPoint(at)), turnDeg }
}

/** Returns the direction of travel at a share of the lap, in radians clockwise from east. */
export function turnAt(track: Track, progress: number): number {
  const half = directionOverM / 2 / track.lengthM
  const from = pointAtProgress(track, progress - half)
  const to = pointAtProgress(track, progress + half)
  return Math.atan2(from.northM - to.northM, to.eastM - from.eastM)
}

/** Projects a position into the drawing, clamped to its edges. */
export function carSpot(drawing: Drawing, position: Position): CarSpot {
  const { track, place, width, height } = drawing
  const nearest = nearestOnTrack(track, position)
  const car = place(track.plane.toPoint(position))
  const x = within(car.x, marginUnits, width - marginUnits)
  const y = within(car.y, marginUnits, height - marginUnits)
  return {
    x,
    y,
    label: labelSpot(drawing, { x, y }, nearest.progress),
    trail:
      nearest.offM <= onTrackM
        ? pathOf(trailBehind(track, nearest.progress, trailShare).map(place))
        : '',
    progress: nearest.progress,
  }
}

/**
 * Places the label on the inside of the track; if that is too narrow, wherever around the car it is
 * farthest from the track.
 */
function labelSpot(drawing: Drawing, car: Spot, progress: number): Spot {
  const inwards = inwardsAt(drawing, progress)
  const inside = besideCar(drawing, car, Math.atan2(inwards.y, inwards.x))
  let best = { spot: inside, room: roomAt(drawing.spots, inside) }
  for (let turn = 1; turn < 8 && best.room < labelRoomUnits; turn++) {
    const spot = besideCar(drawing, car, Math.atan2(inwards.y, inwards.x) + (turn * Math.PI) / 4)
    const room = roomAt(drawing.spots, spot)
    // At the edge of the drawing, clamping would push the label onto the car.
    const isClear = Math.hypot(spot.x - car.x, spot.y - car.y) > labelUnits * 0.8
    if (isClear && room > best.room) best = { spot, room }
  }
  return best.spot
}

function besideCar({ width, height }: Drawing, car: Spot, angle: number): Spot {
  return {
    x: within(car.x + Math.cos(angle) * labelUnits, marginUnits, width - marginUnits),
    y: within(car.y + Math.sin(angle) * labelUnits, marginUnits, height - marginUnits),
  }
}

/** The side of start/finish with more room for the arrow. */
function arrowSide(spots: readonly Spot[], start: Spot, turnDeg: number): number {
  const turn = (turnDeg * Math.PI) / 180
  const at = (side: number) => ({
    x: start.x - Math.sin(turn) * side,
    y: start.y + Math.cos(turn) * side,
  })
  return roomAt(spots, at(arrowUnits)) >= roomAt(spots, at(-arrowUnits)) ? arrowUnits : -arrowUnits
}

/** Distance of a point from the track. */
function roomAt(spots: readonly Spot[], { x, y }: Spot): number {
  return leastOf(spots.map(spot => Math.hypot(spot.x - x, spot.y - y)))
}

/** Unit vector from the track towards its inside. */
function inwardsAt({ circuit, track, place }: Drawing, progress: number): Spot {
  const ends = trailBehind(track, progress + 0.005, 0.01).map(place)
  const from = ends[0] ?? { x: 0, y: 0 }
  const to = ends.at(-1) ?? { x: 1, y: 0 }
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  // Clockwise, the inside is on the right; y grows downwards, so the right of (x, y) is (-y, x).
  return circuit.direction === 'clockwise'
    ? { x: -along.y, y: along.x }
    : { x: along.y, y: -along.x }
}

export function pathOf(spots: readonly Spot[]): string {
  return spots
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
