import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Throttle } from './throttle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('the first call runs at once, later ones at most once per interval, newest only', () => {
  const throttle = new Throttle(40)
  const done: number[] = []
  for (let number = 1; number <= 5; number++) throttle.run(() => done.push(number))
  expect(done).toEqual([1])
  vi.advanceTimersByTime(40)
  expect(done).toEqual([1, 5])
  throttle.run(() => done.push(6))
  throttle.flush()
  expect(done).toEqual([1, 5, 6])
  vi.advanceTimersByTime(1000)
  expect(done).toEqual([1, 5, 6])
  throttle.run(() => done.push(7))
  expect(done).toEqual([1, 5, 6, 7])
})

test('pending calls are dropped on stop', () => {
  const throttle = new Throttle(40)
  const done: number[] = []
  throttle.run(() => done.push(1))
  throttle.run(() => done.push(2))
  throttle.stop()
  vi.advanceTimersByTime(1000)
  expect(done).toEqual([1])
})
