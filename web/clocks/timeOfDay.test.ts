import { expect, test } from 'vitest'
import { timeNear, timeOfDay } from './timeOfDay.ts'

const at = (day: number, time: [number, number, number]) =>
  new Date(2026, 4, day, ...time).getTime()

test('a time is read as it is shown', () => {
  const start = at(2, [14, 0, 3])
  expect(timeOfDay(start)).toBe('14:00:03')
  expect(timeNear(timeOfDay(start), start + 3_600_000)).toBe(start)
  expect(timeNear('14:00', start)).toBe(at(2, [14, 0, 0]))
  expect(timeNear(' 9.05.07 ', start)).toBe(at(2, [9, 5, 7]))
})

test('a correction across midnight stays near the start', () => {
  expect(timeNear('23:59:50', at(3, [0, 0, 10]))).toBe(at(2, [23, 59, 50]))
  expect(timeNear('0:00:10', at(2, [23, 59, 50]))).toBe(at(3, [0, 0, 10]))
})

test.each(['', '14', '24:00', '14:60', '14:00:60', 'noon', '14:0'])('%j is refused', text => {
  expect(timeNear(text, at(2, [14, 0, 0]))).toBeNull()
})
