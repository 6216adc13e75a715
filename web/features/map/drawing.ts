import type { Circuit } from '#contract/circuits/circuit.ts'
import type { Point, Position } from '#contract/geo.ts'
import { nearestOnTrack, type Track, trackOf, trailBehind } from '#contract/track.ts'

/** The longer side of the outline, in units of the drawing. */
const outlineUnits = 840
/** Room around the outline for its stroke, the car and its three letters. */
const marginUnits = 60
/** How far the letters stand from the car, towards the inside of the track. */
const labelUnits = 108
/** Letters nearer than this to the track would lie on it. */
const labelRoomUnits = 50
/** How far the arrow stands from start/finish. */
const arrowUnits = 58
/** Farther than this from the line the car is not on the track, and leaves no trail on it. */
const onTrackM = 60
/** The last part of the lap, as a trail. */
const trailShare = 0.075

/** A place in the drawing: x to the right, y down. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** A circuit as it is drawn. Made once per circuit. */
export interface Drawing {
  readonly circuit: Circuit
  readonly track: Track
  readonly width: number
  readonly height: number
  /** The outline, and the same as the `d` of a path. */
  readonly spots: readonly Spot[]
  readonly outline: string
  /**
   * Start/finish, and the way the cars go there, in degrees clockwise from the right. The arrow
   * stands beside it, to the right of the cars if positive.
   */
  readonly start: Spot & { readonly turnDeg: number; readonly arrow: number }
  readonly place: (point: Point) => Spot
}

/** Where the car is in the drawing. */
export interface CarSpot extends Spot {
  readonly label: Spot
  /** The `d` of the trail's path; empty off the track. */
  readonly trail: string
  /** Share of the lap, 0 at start/finish. */
  readonly progress: number
}

export function drawingOf(circuit: Circuit): Drawing {
  const track = trackOf(circuit.outline)
  const easts = track.points.map(({ eastM }) => eastM)
  const norths = track.points.map(({ northM }) => northM)
  const westM = Math.min(...easts)
  const topM = Math.max(...norths)
  const wideM = Math.max(...easts) - westM
  const tallM = topM - Math.min(...norths)
  const scale = outlineUnits / Math.max(wideM, tallM)
  const place = ({ eastM, northM }: Point): Spot => ({
    x: marginUnits + (eastM - westM) * scale,
    y: marginUnits + (topM - northM) * scale,
  })
  const spots = track.points.map(place)
  const start = place(track.plane.toPoint(circuit.startFinish))
  const turnDeg = circuit.startFinish.headingDeg - 90
  return {
    circuit,
    track,
    spots,
    width: wideM * scale + 2 * marginUnits,
    height: tallM * scale + 2 * marginUnits,
    outline: `${pathOf(spots)}Z`,
    start: { ...start, turnDeg, arrow: arrowSide(spots, start, turnDeg) },
    place,
  }
}

/** Where a position belongs in the drawing, kept inside of it. */
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
 * Beside the car on the inside of the track; where that is too narrow for letters, wherever around
 * the car they are farthest from the track.
 */
function labelSpot(drawing: Drawing, car: Spot, progress: number): Spot {
  const inwards = inwardsAt(drawing, progress)
  const inside = besideCar(drawing, car, Math.atan2(inwards.y, inwards.x))
  let best = { spot: inside, room: roomAt(drawing.spots, inside) }
  for (let turn = 1; turn < 8 && best.room < labelRoomUnits; turn++) {
    const spot = besideCar(drawing, car, Math.atan2(inwards.y, inwards.x) + (turn * Math.PI) / 4)
    const room = roomAt(drawing.spots, spot)
    // At the edge of the drawing the letters would be pushed onto the car.
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

/** On which side of start/finish the arrow has more room. */
function arrowSide(spots: readonly Spot[], start: Spot, turnDeg: number): number {
  const turn = (turnDeg * Math.PI) / 180
  const at = (side: number) => ({
    x: start.x - Math.sin(turn) * side,
    y: start.y + Math.cos(turn) * side,
  })
  return roomAt(spots, at(arrowUnits)) >= roomAt(spots, at(-arrowUnits)) ? arrowUnits : -arrowUnits
}

/** How far a spot is from the track. */
function roomAt(spots: readonly Spot[], { x, y }: Spot): number {
  return Math.min(...spots.map(spot => Math.hypot(spot.x - x, spot.y - y)))
}

/** The direction from the track to its inside, of length 1. */
function inwardsAt({ circuit, track, place }: Drawing, progress: number): Spot {
  const ends = trailBehind(track, progress + 0.005, 0.01).map(place)
  const from = ends[0] ?? { x: 0, y: 0 }
  const to = ends.at(-1) ?? { x: 1, y: 0 }
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  // Clockwise, the inside is on the right hand; y grows downwards, so right of (x, y) is (-y, x).
  return circuit.direction === 'clockwise'
    ? { x: -along.y, y: along.x }
    : { x: along.y, y: -along.x }
}

function pathOf(spots: readonly Spot[]): string {
  return spots
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
