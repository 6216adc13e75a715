import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spaFrancorchamps } from './circuits/spa-francorchamps.ts'
import {
  centreOf,
  distanceM,
  earthRadiusM,
  isNearTrack,
  nearTrackM,
  planeAround,
  positionBetween,
} from './geo.ts'

const anywhere = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const laSource = { latitude: 50.446154, longitude: 5.963339 }
const metresPerDegree = (Math.PI / 180) * earthRadiusM

describe('distance', () => {
  test('one degree along a meridian is a 360th of the way around the earth', () => {
    const metres = distanceM({ latitude: 50, longitude: 6 }, { latitude: 51, longitude: 6 })
    expect(metres).toBeCloseTo(111_195.08, 1)
  })

  test('one degree of longitude shrinks with the cosine of the latitude', () => {
    const metres = distanceM({ latitude: 60, longitude: 5 }, { latitude: 60, longitude: 6 })
    expect(metres / metresPerDegree).toBeCloseTo(0.5, 4)
  })

  test('Spa and Zolder are 78 km apart', () => {
    const zolder = { latitude: 50.988871, longitude: 5.25531 }
    expect(distanceM(laSource, zolder) / 1000).toBeCloseTo(78.31, 1)
  })

  test('distance is symmetric, never negative, and at most half the circumference', () => {
    fc.assert(
      fc.property(anywhere, anywhere, (one, other) => {
        const metres = distanceM(one, other)
        expect(metres).toBeGreaterThanOrEqual(0)
        expect(metres).toBeLessThanOrEqual(Math.PI * earthRadiusM)
        expect(distanceM(other, one)).toBeCloseTo(metres, 6)
      }),
    )
  })

  test('opposite points of the earth are half way around, not NaN', () => {
    const metres = distanceM({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })
    expect(metres).toBeCloseTo(Math.PI * earthRadiusM, 3)
  })

  test('the short way is taken across the date line', () => {
    const metres = distanceM({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 })
    expect(metres / metresPerDegree).toBeCloseTo(0.2, 6)
  })
})

describe('near the track', () => {
  const outline = [laSource]
  const northOf = (metres: number) => ({
    latitude: laSource.latitude + metres / metresPerDegree,
    longitude: laSource.longitude,
  })

  // spec: SP-5
  test('up to 1 km from a point of the outline is near, further is not', () => {
    expect(nearTrackM).toBe(1000)
    expect(isNearTrack(northOf(999.9), outline)).toBe(true)
    expect(isNearTrack(northOf(1000.1), outline)).toBe(false)
  })

  test('the radius can be overridden', () => {
    expect(isNearTrack(northOf(40), outline, 50)).toBe(true)
    expect(isNearTrack(northOf(60), outline, 50)).toBe(false)
  })

  test('every point of the circuit is near it, the town of Spa is not', () => {
    for (const point of spaFrancorchamps.outline) {
      expect(isNearTrack(point, spaFrancorchamps.outline)).toBe(true)
    }
    const town = { latitude: 50.4922, longitude: 5.8642 }
    expect(isNearTrack(town, spaFrancorchamps.outline)).toBe(false)
  })

  test('nothing is near an empty outline, and NaN is near nothing', () => {
    expect(isNearTrack(laSource, [])).toBe(false)
    expect(isNearTrack({ latitude: Number.NaN, longitude: 5 }, outline)).toBe(false)
  })
})

describe('the flat map', () => {
  const centre = centreOf(spaFrancorchamps.outline)
  const plane = planeAround(centre)

  test('the centre is 0, east is right and north is up', () => {
    expect(plane.toPoint(centre)).toEqual({ eastM: 0, northM: 0 })
    const northEast = plane.toPoint({
      latitude: centre.latitude + 0.01,
      longitude: centre.longitude + 0.01,
    })
    expect(northEast.northM).toBeCloseTo(1111.95, 1)
    expect(northEast.eastM).toBeCloseTo(708.4, 0)
  })

  test('distances match those over the ground to 0.2 % within 10 km', () => {
    const offset = fc.double({ min: -0.06, max: 0.06, noNaN: true })
    const nearby = fc.record({ latitude: offset, longitude: offset }).map(by => ({
      latitude: centre.latitude + by.latitude,
      longitude: centre.longitude + by.longitude,
    }))
    fc.assert(
      fc.property(nearby, nearby, (one, other) => {
        const from = plane.toPoint(one)
        const to = plane.toPoint(other)
        const flatM = Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
        const groundM = distanceM(one, other)
        expect(Math.abs(flatM - groundM)).toBeLessThanOrEqual(groundM * 0.002 + 1e-6)
      }),
    )
  })

  test('a round trip returns the same position, across the date line too', () => {
    for (const around of [centre, { latitude: -17, longitude: 179.99 }]) {
      const { toPoint, toPosition } = planeAround(around)
      const there = { latitude: around.latitude - 0.02, longitude: -179.98 }
      const position = around === centre ? laSource : there
      const back = toPosition(toPoint(position))
      expect(back.latitude).toBeCloseTo(position.latitude, 9)
      expect(back.longitude).toBeCloseTo(position.longitude, 9)
      expect(Math.abs(toPoint(position).eastM)).toBeLessThan(10_000)
    }
  })
})

describe('across the date line', () => {
  const west = { latitude: -17, longitude: 179.99 }
  const east = { latitude: -16.98, longitude: -179.97 }

  test('the middle of some positions is near them', () => {
    const { latitude, longitude } = centreOf([west, east])
    expect(latitude).toBeCloseTo(-16.99, 9)
    expect(longitude).toBeCloseTo(-179.99, 9)
    expect(centreOf([east, west]).longitude).toBeCloseTo(-179.99, 9)
  })

  test('a position on the way between two others is near them', () => {
    expect(positionBetween(west, east, 0).longitude).toBeCloseTo(179.99, 9)
    expect(positionBetween(west, east, 0.75).longitude).toBeCloseTo(-179.98, 9)
    expect(positionBetween(east, west, 0.75).longitude).toBeCloseTo(-180, 9)
    expect(positionBetween(west, east, 0.5).latitude).toBeCloseTo(-16.99, 9)
  })
})

test('the middle of a million positions is found', () => {
  const places = Array.from({ length: 1_000_000 }, (_, index) => ({
    latitude: index / 1e6,
    longitude: -index / 1e6,
  }))
  expect(centreOf(places).longitude).toBeCloseTo(-0.5, 5)
})

test('a flat map around a pole has finite coordinates', () => {
  const { toPoint, toPosition } = planeAround({ latitude: 90, longitude: 0 })
  const back = toPosition(toPoint({ latitude: 89.999, longitude: 120 }))
  expect(Math.abs(back.longitude)).toBeLessThanOrEqual(180)
  expect(back.latitude).toBeCloseTo(89.999, 9)
})
