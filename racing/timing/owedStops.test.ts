import { expect, test } from 'vitest'
import type { GhostCar } from './ghostStop.ts'
import { afterOwedStops } from './owedStops.ts'

const usualMs = 100_000
const stopLosses = {
  green: { count: 5, medianMs: 60_000, plusMinusMs: 2000, ofAllPlusMinusMs: 2000, pace: 1 },
  yellow: null,
}

function car(
  position: number,
  behindMs: number,
  stops: number | null,
  more: Partial<GhostCar> = {},
): GhostCar {
  return {
    position,
    number: String(position),
    className: null,
    classPosition: null,
    laps: 50,
    totalMs: 5_000_000 + behindMs,
    lastMs: usualMs,
    usualMs,
    stops: { count: stops, green: null, yellow: null },
    ...more,
  }
}

function placesAfter(cars: readonly GhostCar[], required = 5) {
  return afterOwedStops({ standings: cars, stopLosses }, required).map(({ owed, places }) => [
    owed,
    places && [places.best, places.worst],
  ])
}

test('an owed stop costs the median loss of the car, or of the field without one', () => {
  const measured = { count: 4, green: { count: 3, medianMs: 90_000 }, yellow: null }
  expect(
    placesAfter([
      car(1, 0, 3),
      car(2, 41_000, 4),
      car(3, 50_000, 6),
      car(4, 60_000, 4, { stops: measured }),
      car(5, 0, 5, { laps: 49 }),
    ]),
  ).toEqual([
    [2, [4, 4]],
    [1, [2, 3]],
    [0, [1, 1]],
    [1, [5, 5]],
    [0, [2, 3]],
  ])
})

test('places within the uncertainty of the stops are a range', () => {
  expect(placesAfter([car(1, 0, 3), car(2, 119_000, 5), car(3, 200_000, 5)])).toEqual([
    [2, [1, 2]],
    [0, [1, 2]],
    [0, [3, 3]],
  ])
})

test('a car whose stops were not all seen has no place, and widens those of others', () => {
  expect(placesAfter([car(1, 0, null), car(2, 20_000, 5), car(3, 900_000, 5)])).toEqual([
    [null, null],
    [0, [1, 2]],
    [0, [3, 3]],
  ])
})

test('without a time there is no place, and a car that never started is last', () => {
  const cars = [
    car(1, 0, 5),
    car(2, 0, 5, { totalMs: null }),
    car(3, 0, 0, { laps: null, totalMs: 0, usualMs: null }),
  ]
  expect(placesAfter(cars)).toEqual([
    [0, [1, 2]],
    [0, null],
    [5, null],
  ])
})

test('places are not known before the third comparable stop', () => {
  const cars = [car(1, 0, 3), car(2, 1000, 4)]
  const after = afterOwedStops({ standings: cars, stopLosses: { green: null, yellow: null } }, 5)
  expect(after).toEqual([
    { owed: 2, places: null },
    { owed: 1, places: null },
  ])
})
