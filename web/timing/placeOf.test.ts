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
    classAhead: { number: '8', gap: null },
    classBehind: { number: null, gap: null },
    laps: 10,
  })
  expect(placeOf(order, '8')).toMatchObject({ position: 1, ahead: null })
})

test('the neighbours in the class may have cars of other classes between them', () => {
  const gap = { laps: 0, ms: 700 }
  const mixed = [
    { ...car(1, '8', null), classPosition: 1 },
    { ...car(2, '5', gap), className: 'A', classPosition: 1 },
    { ...car(3, '17', gap), classPosition: 2, toAheadInClass: { laps: 1, ms: 50 } },
  ]
  expect(placeOf(mixed, '17')).toMatchObject({
    ahead: { number: '5', gap },
    classAhead: { number: '8', gap: { laps: 1, ms: 50 } },
    classBehind: null,
  })
  expect(placeOf(mixed, '8')).toMatchObject({
    classBehind: { number: '17', gap: { laps: 1, ms: 50 } },
  })
})

test('an order of entries by hand has only neighbours that were entered', () => {
  const gap = { laps: 0, ms: 12_400 }
  const entered = [car(4, '17', gap), car(7, '44', null)]
  expect(placeOf(entered, '17')).toMatchObject({ ahead: { number: null, gap }, behind: null })
  expect(placeOf(entered, '44')).toMatchObject({ ahead: null, behind: null })
})

test('a car that is not in the order, or has no number, has no place', () => {
  expect(placeOf(order, '44')).toBeNull()
  expect(placeOf(order, null)).toBeNull()
  expect(placeOf([], '17')).toBeNull()
})
