import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Paced } from './paced.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('the first is done at once, and then the newest of what is wanted, every so often', () => {
  const paced = new Paced(40)
  const done: number[] = []
  for (let number = 1; number <= 5; number++) paced.do(() => done.push(number))
  expect(done).toEqual([1])
  vi.advanceTimersByTime(40)
  expect(done).toEqual([1, 5])
  paced.do(() => done.push(6))
  paced.flush()
  expect(done).toEqual([1, 5, 6])
  vi.advanceTimersByTime(1000)
  expect(done).toEqual([1, 5, 6])
  paced.do(() => done.push(7))
  expect(done).toEqual([1, 5, 6, 7])
})

test('what waits is not done any more once it is stopped', () => {
  const paced = new Paced(40)
  const done: number[] = []
  paced.do(() => done.push(1))
  paced.do(() => done.push(2))
  paced.stop()
  vi.advanceTimersByTime(1000)
  expect(done).toEqual([1])
})
