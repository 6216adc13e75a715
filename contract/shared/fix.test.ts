import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fix } from '../positions.ts'
import { gpsLostAfterMs, trustedReading, trustedSpeedKmh } from './fix.ts'

const reading = { latitude: 50.4431181, longitude: 5.96601, accuracy: 5, speed: 50, heading: 271.4 }

describe('speed', () => {
  // spec: SP-3
  test('metres per second become whole kilometres per hour', () => {
    expect(trustedSpeedKmh(50, 5)).toBe(180)
    expect(trustedSpeedKmh(33.45, 5)).toBe(120)
    expect(trustedSpeedKmh(0, 5)).toBe(0)
    expect(Object.is(trustedSpeedKmh(-0, 5), 0)).toBe(true)
  })

  // spec: SP-1
  test.each([null, undefined, -0.1, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'a speed of %s is ignored',
    speed => {
      expect(trustedSpeedKmh(speed, 5)).toBeNull()
    },
  )

  // spec: SP-2
  test('an accuracy worse than 300 m makes the speed unknown', () => {
    expect(trustedSpeedKmh(50, 300)).toBe(180)
    expect(trustedSpeedKmh(50, 300.1)).toBeNull()
    expect(trustedSpeedKmh(50, Number.NaN)).toBeNull()
  })

  // spec: SP-4
  test('320 km/h is the highest accepted speed', () => {
    expect(trustedSpeedKmh(320 / 3.6, 5)).toBe(320)
    expect(trustedSpeedKmh(321 / 3.6, 5)).toBeNull()
  })

  test('any reading gives null or a whole number from 0 to 320', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (speed, accuracy) => {
        const speedKmh = trustedSpeedKmh(speed, accuracy)
        if (speedKmh === null) return
        expect(Number.isInteger(speedKmh)).toBe(true)
        expect(speedKmh).toBeGreaterThanOrEqual(0)
        expect(speedKmh).toBeLessThanOrEqual(320)
      }),
    )
  })

  test('every speed from 0 to 320 km/h with a good position is accepted', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 320, noNaN: true }), kmh => {
        expect(Math.abs(trustedSpeedKmh(kmh / 3.6, 10)! - kmh)).toBeLessThan(0.501)
      }),
    )
  })
})

describe('a complete reading', () => {
  test('position, speed and accuracy are accepted together', () => {
    expect(trustedReading(reading)).toEqual({
      latitude: 50.4431181,
      longitude: 5.96601,
      speedKmh: 180,
      accuracyM: 5,
      headingDeg: 271,
    })
  })

  test('a poor position is kept; only its speed and heading are ignored', () => {
    expect(trustedReading({ ...reading, accuracy: 450 })).toEqual({
      latitude: 50.4431181,
      longitude: 5.96601,
      speedKmh: null,
      accuracyM: 450,
      headingDeg: null,
    })
  })

  test('a position with one invalid coordinate is dropped', () => {
    const nowhere = { latitude: null, longitude: null }
    expect(trustedReading({ ...reading, longitude: Number.NaN })).toMatchObject(nowhere)
    expect(trustedReading({ ...reading, latitude: 90.1 })).toMatchObject(nowhere)
  })

  test('coordinates are rounded to 1 cm and accuracy to 0.1 m', () => {
    const long = {
      latitude: 50.123456789,
      longitude: -5.123456789,
      accuracy: 4.5678,
      speed: null,
      heading: null,
    }
    expect(trustedReading(long)).toEqual({
      latitude: 50.1234568,
      longitude: -5.1234568,
      speedKmh: null,
      accuracyM: 4.6,
      headingDeg: null,
    })
  })

  test.each([
    [0, 0],
    [359.4, 359],
    [359.6, 0],
    [360, null],
    [-0.1, null],
    [Number.NaN, null],
    [null, null],
  ])('a heading of %s becomes %s', (heading, headingDeg) => {
    expect(trustedReading({ ...reading, heading }).headingDeg).toBe(headingDeg)
  })

  test('a car below 5 km/h or without a known speed has no heading', () => {
    expect(trustedReading({ ...reading, speed: 5 / 3.6 }).headingDeg).toBe(271)
    expect(trustedReading({ ...reading, speed: 4 / 3.6 }).headingDeg).toBeNull()
    expect(trustedReading({ ...reading, speed: null }).headingDeg).toBeNull()
  })

  test('any reading results in a fix that the schema accepts', () => {
    const anything = fc.record({
      latitude: fc.double(),
      longitude: fc.double(),
      accuracy: fc.double(),
      speed: fc.option(fc.double()),
      heading: fc.option(fc.double()),
    })
    fc.assert(
      fc.property(anything, reading => {
        expect(Fix.safeParse({ at: 0, ...trustedReading(reading) }).success).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

test('GPS is lost after 3 s without a reading, after 60 s below 5 km/h', () => {
  expect([0, 4, 5, 180, null].map(gpsLostAfterMs)).toEqual([60_000, 60_000, 3000, 3000, 3000])
})
