import { expect, test } from 'vitest'
import { stintOfLap } from './stintOfLap.ts'

const stints = [
  { number: 1, from: 0, to: 1000 },
  { number: 2, from: 1000, to: 2000 },
  { number: 3, from: 2000, to: null },
]
const numberOf = (startedAt: number, kind: 'out' | 'full' | 'in' | 'pit' | 'incomplete') =>
  stintOfLap({ startedAt, timeMs: 100, kind }, stints)?.number

test('a lap belongs to the stint of its middle', () => {
  expect(numberOf(0, 'full')).toBe(1)
  expect(numberOf(940, 'full')).toBe(1)
  expect(numberOf(960, 'incomplete')).toBe(2)
  expect(numberOf(9000, 'full')).toBe(3)
})

test('after a change in the pits the out lap belongs to the new driver', () => {
  expect(numberOf(910, 'in')).toBe(1)
  expect(numberOf(990, 'pit')).toBe(1)
  expect(numberOf(910, 'out')).toBe(2)
})

test('a lap from before the first stint belongs to it', () => {
  expect(numberOf(-500, 'full')).toBe(1)
  expect(stintOfLap({ startedAt: 0, timeMs: 1, kind: 'full' }, [])).toBeUndefined()
})
