import { expect, test } from 'vitest'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import {
  carSpot,
  drawingOf,
  drawnShipped,
  gateSpot,
  isLargerTurned,
  reversedCircuit,
} from './drawing.ts'

const [spa] = circuits
const drawn = drawnShipped(spa)
const drawing = drawingOf(drawn)

test('every point of each circuit is inside its drawing, with a margin', () => {
  for (const circuit of circuits) {
    const { track, place, width, height } = drawingOf(drawnShipped(circuit))
    const spots = track.points.map(place)
    expect(Math.min(...spots.map(({ x }) => x))).toBeCloseTo(60, 5)
    expect(Math.min(...spots.map(({ y }) => y))).toBeCloseTo(60, 5)
    expect(Math.max(...spots.map(({ x }) => x))).toBeCloseTo(width - 60, 5)
    expect(Math.max(...spots.map(({ y }) => y))).toBeCloseTo(height - 60, 5)
    expect(Math.max(width, height)).toBeCloseTo(960, 5)
  }
})

test('the line is drawn across the driving direction', () => {
  for (const circuit of circuits) {
    const { turnDeg } = gateSpot(drawingOf(drawnShipped(circuit)), circuit.startFinish)
    const { headingDeg } = circuit.startFinish
    expect(Math.abs(((turnDeg + 90 - headingDeg + 540) % 360) - 180)).toBeLessThan(5)
  }
})

test('north is up', () => {
  const south = spa.outline.reduce((a, b) => (b.latitude < a.latitude ? b : a))
  expect(carSpot(drawing, south).y).toBeCloseTo(drawing.height - 60, 5)
})

test('a circuit is turned for a box of the other shape, with north at the right', () => {
  const { width, height } = drawing
  expect(isLargerTurned(drawing, { width, height })).toBe(false)
  expect(isLargerTurned(drawing, { width: height, height: width })).toBe(true)
  const turned = drawingOf(drawn, true)
  expect([turned.width, turned.height]).toEqual([height, width])
  const south = spa.outline.reduce((a, b) => (b.latitude < a.latitude ? b : a))
  expect(carSpot(turned, south).x).toBeCloseTo(60, 5)
  const { eastM, northM } = turned.pointAt(turned.place({ eastM: 40, northM: -70 }))
  expect([eastM, northM]).toEqual([expect.closeTo(40), expect.closeTo(-70)])
  const deg = (each: typeof drawing) => gateSpot(each, spa.startFinish).turnDeg
  expect(deg(turned)).toBeCloseTo(deg(drawing) + 90)
})

// spec: MP-9
test('a car on the track is drawn on it, with a trail that ends at the car', () => {
  for (const index of [10, 90, 200, 300]) {
    const position = spa.outline[index]!
    const spot = carSpot(drawing, position)
    expect(spot.trail.endsWith(`L${spot.x.toFixed(1)} ${spot.y.toFixed(1)}`)).toBe(true)
    expect(spot.progress).toBeGreaterThan(0)
  }
})

test('a car in the paddock leaves no trail on the track', () => {
  const { latitude, longitude } = spa.outline[0]!
  const aside = { latitude: latitude + 0.002, longitude: longitude + 0.004 }
  expect(carSpot(drawing, aside).trail).toBe('')
})

test('a car beyond the edge stays visible at the edge', () => {
  const spot = carSpot(drawing, { latitude: 51, longitude: 7 })
  expect(spot).toMatchObject({ x: drawing.width - 60, y: 60 })
})

test('the label of a lapping car is inside the track where there is room', () => {
  const polygon = drawing.track.points.map(drawing.place)
  const inside = spa.outline.filter(position => {
    const { x, y, label } = carSpot(drawing, position)
    // The first step from the car towards the label determines the side.
    return isInside({ x: x + (label.x - x) / 6, y: y + (label.y - y) / 6 }, polygon)
  })
  expect(inside.length / spa.outline.length).toBeGreaterThan(0.6)
})

test('the label of a lapping car rarely covers the track', () => {
  const clear = spa.outline.filter(position => {
    const { label } = carSpot(drawing, position)
    return drawing.spots.every(spot => Math.hypot(spot.x - label.x, spot.y - label.y) > 40)
  })
  expect(clear.length / spa.outline.length).toBeGreaterThan(0.9)
})

function isInside(spot: { x: number; y: number }, polygon: readonly { x: number; y: number }[]) {
  let inside = false
  for (const [index, a] of polygon.entries()) {
    const b = polygon[(index + 1) % polygon.length]!
    const crosses = a.y > spot.y !== b.y > spot.y
    if (crosses && spot.x < ((b.x - a.x) * (spot.y - a.y)) / (b.y - a.y) + a.x) inside = !inside
  }
  return inside
}

test('driving a circuit in reverse turns its arrow and trail round', () => {
  const there = drawing
  const back = drawingOf(reversedCircuit(drawnShipped(spa)))
  expect(back.circuit.direction).toBe('anticlockwise')
  expect((back.start.turnDeg - there.start.turnDeg + 720) % 360).toBeCloseTo(180, 0)
  expect([back.width, back.height]).toEqual([there.width, there.height])
})
