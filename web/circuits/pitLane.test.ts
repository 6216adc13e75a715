import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { drawingOf, drawnShipped, gateSpot } from './drawing.ts'
import { pitLanePath } from './pitLane.ts'

const drawing = drawingOf(drawnShipped(zolder))
const at = (index: number) => zolder.outline[index]!

function spotsOf(path: string) {
  return path
    .slice(1)
    .split('L')
    .map(pair => pair.split(' ').map(Number) as [number, number])
}

/** Distance from the middle of the track, in drawing units. */
function offTrack([x, y]: [number, number]): number {
  return Math.min(...drawing.spots.map(spot => Math.hypot(spot.x - x, spot.y - y)))
}

test('a pit lane runs from one gate to the other, beside the track and over the line', () => {
  const spots = spotsOf(pitLanePath(drawing, at(210), at(8)))
  const [pitIn, pitOut] = [gateSpot(drawing, at(210)), gateSpot(drawing, at(8))]
  expect(spots[0]).toEqual([Number(pitIn.x.toFixed(1)), Number(pitIn.y.toFixed(1))])
  expect(spots.at(-1)).toEqual([Number(pitOut.x.toFixed(1)), Number(pitOut.y.toFixed(1))])
  // The lap continues over the start of the outline: the lane is not the rest of the lap.
  const lengths = spots.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = spots[index]!
    return Math.hypot(x - fromX, y - fromY)
  })
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(600)
  // Half of the track's stroke, and of the lane's.
  expect(offTrack(spots[20]!)).toBeGreaterThan(17)
})

test('a pit lane is on the side of its gates', () => {
  const beside = (latitude: number) => {
    const gate = (index: number) => ({ ...at(index), latitude: at(index).latitude + latitude })
    return spotsOf(pitLanePath(drawing, gate(205), gate(4)))[20]!
  }
  const [north, south] = [beside(0.0003), beside(-0.0003)]
  expect(Math.hypot(north[0] - south[0], north[1] - south[1])).toBeGreaterThan(60)
})
