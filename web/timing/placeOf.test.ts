import { expect, test } from 'vitest'
import type { Standing } from '#contract/timing.ts'
import { placeOf } from './placeOf.ts'

const car = (position: number, number: string | null, toAhead: Standing['toAhead']): Standing => ({
  position,
  number,
  className: 'B',
  classPosition: position,
  laps: 10,
  totalMs: null,
  bestMs: null,
  lastMs: null,
  toLeader: null,
  toAhead,
  toAheadInClass: null,
  usualMs: null,
  stops: null,
})
const order = [
  car(1, '8', null),
  car(2, '17', { laps: 0, ms: 12_400 }),
  car(3, null, { laps: 1, ms: 600 }),
]

test('a car has the gaps to its neighbours in the order', () => {
  expect(placeOf(order, '17')).toEqual({
    position: 2,
    className: 'B',
    classPosition: 2,
    ahead: { number: '8', gap: { laps: 0, ms: 12_400 } },
    behind: { number: null, gap: { laps: 1, ms: 600 } },
  })
  expect(placeOf(order, '8')).toMatchObject({ position: 1, ahead: null })
})

test('a car that is not in the order, or has no number, has no place', () => {
  expect(placeOf(order, '44')).toBeNull()
  expect(placeOf(order, null)).toBeNull()
  expect(placeOf([], '17')).toBeNull()
})
