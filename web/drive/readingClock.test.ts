import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Listeners } from '#client/listeners.ts'
import { ReadingClock } from './readingClock.ts'

let readings: Listeners
let correctionMs: number
let times: number[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 })
  readings = new Listeners()
  correctionMs = 0
  times = []
  const clock = new ReadingClock(
    { onChange: listener => readings.add(listener) },
    () => Date.now() + correctionMs,
  )
  stop = clock.onChange(() => times.push(clock.now()))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('readings that arrive with jitter advance the time by whole seconds', () => {
  for (const at of [1000, 2200, 2900, 4000, 4850]) readAt(at)
  expect(times).toEqual([11_000, 12_000, 13_000, 14_000, 15_000])
})

test('readings at intervals of more than a second do not slow the clock down', () => {
  for (let count = 1; count <= 40; count++) readAt(count * 1050)
  expect(times).toHaveLength(40)
  expect(Math.abs(times.at(-1)! - Date.now())).toBeLessThan(300)
})

test('ten readings a second change the time once a second', () => {
  for (let at = 100; at <= 5000; at += 100) readAt(at)
  expect(times).toEqual([11_000, 12_000, 13_000, 14_000, 15_000])
})

test('without readings the time goes on', () => {
  vi.advanceTimersByTime(5000)
  expect(times).toEqual([11_000, 12_000, 13_000, 14_000])
})

test('a correction of the server clock applies with the next reading', () => {
  readAt(1000)
  correctionMs = -5000
  readAt(2000)
  readAt(3000)
  expect(times).toEqual([11_000, 7000, 8000])
})

test('without readings the time goes on after a small correction backwards', () => {
  vi.advanceTimersByTime(2250)
  correctionMs = -600
  vi.advanceTimersByTime(4000)
  expect(times).toHaveLength(5)
  expect(Math.abs(times.at(-1)! - (Date.now() + correctionMs))).toBeLessThan(300)
})

test('no timer or listener is left once the screen is closed', () => {
  stop()
  expect(vi.getTimerCount()).toBe(0)
  readAt(1000)
  expect(times).toEqual([])
})

function readAt(ms: number) {
  vi.advanceTimersByTime(10_000 + ms - Date.now())
  readings.notify()
}
