import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { circuitById, circuits } from './circuits/shippedCircuits.ts'
import { distanceM, lengthOf, type Position, planeAround } from './geo.ts'
import { nearestOnTrack, pointAtProgress, type Track, trackOf, trailBehind } from './track.ts'

// A square of 400 m around a position in Spa, driven clockwise from its south-west corner.
const plane = planeAround({ latitude: 50.44, longitude: 5.97 })
const square = [
  { eastM: -200, northM: -200 },
  { eastM: -200, northM: 200 },
  { eastM: 200, northM: 200 },
  { eastM: 200, northM: -200 },
]
const track = trackOf(square.map(plane.toPosition))
const at = (eastM: number, northM: number) => plane.toPosition({ eastM, northM })
const lapShare = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

/** Compares all pieces of the outline. */
function leastDistanceM({ plane, points }: Track, position: Position): number {
  const here = plane.toPoint(position)
  const distancesM = points.slice(1).map((to, index) => {
    const from = points[index]!
    const eastM = to.eastM - from.eastM
    const northM = to.northM - from.northM
    const dot = (here.eastM - from.eastM) * eastM + (here.northM - from.northM) * northM
    const share = Math.min(1, Math.max(0, dot / (eastM ** 2 + northM ** 2)))
    return lengthOf(
      from.eastM + eastM * share - here.eastM,
      from.northM + northM * share - here.northM,
    )
  })
  return Math.min(...distancesM)
}

describe('circuits', () => {
  // spec: MP-1
  test.each(circuits)('the outline of $name is closed and as long as the official lap', circuit => {
    const { outline, lengthM } = circuit
    expect(outline.at(-1)).toEqual(outline[0])
    const groundM = outline
      .slice(1)
      .reduce((sum, point, index) => sum + distanceM(outline[index]!, point), 0)
    expect(Math.abs(groundM / lengthM - 1)).toBeLessThan(0.005)
    expect(Math.abs(trackOf(outline).lengthM / groundM - 1)).toBeLessThan(0.001)
  })

  test.each(circuits)('$name starts at its start/finish line, in driving direction', circuit => {
    const [first, second] = trackOf(circuit.outline).points
    expect(distanceM(circuit.outline[0]!, circuit.startFinish)).toBeLessThan(1)
    const east = second!.eastM - first!.eastM
    const north = second!.northM - first!.northM
    const headingDeg = ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
    expect(Math.abs(headingDeg - circuit.startFinish.headingDeg)).toBeLessThan(5)
  })

  test.each(circuits)('$name turns in its stated direction', circuit => {
    const { points } = trackOf(circuit.outline)
    // Twice the area by the shoelace formula: negative is clockwise with north up.
    const area = points.slice(1).reduce((sum, to, index) => {
      const from = points[index]!
      return sum + from.eastM * to.northM - to.eastM * from.northM
    }, 0)
    expect(area < 0 ? 'clockwise' : 'anticlockwise').toBe(circuit.direction)
  })

  test('each circuit names its source and is found by its id', () => {
    for (const circuit of circuits) {
      expect(circuit.attribution).toBe('© OpenStreetMap contributors')
      expect(circuitById(circuit.id)).toBe(circuit)
    }
    expect(circuitById('nowhere')).toBeUndefined()
  })
})

describe('measuring', () => {
  test('an open outline is closed, and measured all the way around', () => {
    expect(track.points).toHaveLength(5)
    expect(track.lengthM).toBeCloseTo(1600, 0)
  })

  test('fewer than three positions are refused', () => {
    expect(() => trackOf([at(0, 0), at(1, 1)])).toThrow('at least three')
  })

  test('the nearest spot may be between two points of the outline', () => {
    const spot = nearestOnTrack(track, at(-230, -100))
    expect(spot.offM).toBeCloseTo(30, 1)
    expect(spot.alongM).toBeCloseTo(100, 1)
    expect(spot.progress).toBeCloseTo(1 / 16, 4)
  })

  test('outside of a corner the nearest spot is the corner itself', () => {
    const spot = nearestOnTrack(track, at(-230, 240))
    expect(spot.offM).toBeCloseTo(50, 1)
    expect(spot.alongM).toBeCloseTo(400, 1)
  })

  test('progress is 0 at start/finish, and just under 1 shortly before it', () => {
    expect(nearestOnTrack(track, at(-200, -200)).progress).toBe(0)
    expect(nearestOnTrack(track, at(-199, -200)).progress).toBeCloseTo(1599 / 1600, 4)
  })

  test('progress survives a round trip through a point', () => {
    const spa = trackOf(circuits[0].outline)
    fc.assert(
      fc.property(lapShare, progress => {
        const spot = nearestOnTrack(spa, spa.plane.toPosition(pointAtProgress(spa, progress)))
        expect(spot.offM).toBeLessThan(0.01)
        const apart = Math.abs(spot.progress - progress)
        expect(Math.min(apart, 1 - apart) * spa.lengthM).toBeLessThan(0.1)
      }),
    )
  })

  test('skipping parts of the outline finds the same spot as comparing all of it', () => {
    const spa = trackOf(circuits[0].outline)
    const aside = fc.double({ min: -3000, max: 3000, noNaN: true })
    fc.assert(
      fc.property(lapShare, aside, aside, (progress, eastM, northM) => {
        const point = pointAtProgress(spa, progress)
        const beside = { eastM: point.eastM + eastM, northM: point.northM + northM }
        const position = spa.plane.toPosition(beside)
        expect(nearestOnTrack(spa, position).offM).toBe(leastDistanceM(spa, position))
      }),
    )
  })

  test('whole laps more or less are the same place', () => {
    expect(pointAtProgress(track, 1.25)).toEqual(pointAtProgress(track, 0.25))
    expect(pointAtProgress(track, -0.75)).toEqual(pointAtProgress(track, 0.25))
  })
})

describe('the trail', () => {
  const rounded = (progress: number, share: number) =>
    trailBehind(track, progress, share).map(point => [
      Math.round(point.eastM),
      Math.round(point.northM),
    ])

  test('the trail ends at the car and goes around the corner behind it', () => {
    expect(rounded(0.3, 0.1)).toEqual([
      [-200, 120],
      [-200, 200],
      [-120, 200],
    ])
  })

  test('the trail continues behind start/finish', () => {
    expect(rounded(0.05, 0.1)).toEqual([
      [-120, -200],
      [-200, -200],
      [-200, -120],
    ])
  })

  test('the trail has the requested length, measured along the track', () => {
    const spa = trackOf(circuits[0].outline)
    fc.assert(
      fc.property(lapShare, progress => {
        const trail = trailBehind(spa, progress, 0.075)
        const metres = trail.slice(1).reduce((sum, to, index) => {
          const from = trail[index]!
          return sum + Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
        }, 0)
        expect(metres).toBeCloseTo(0.075 * spa.lengthM, 3)
      }),
    )
  })
})
