import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { retryDelayMs } from './backoff.ts'
import { ServerClock } from './serverClock.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Adds one response with these one-way delays. */
function addAnswer(clock: ServerClock, serverAheadMs: number, thereMs: number, backMs: number) {
  const sentAt = testClock.monotonicMs()
  vi.advanceTimersByTime(thereMs)
  const serverNow = Date.now() + serverAheadMs
  vi.advanceTimersByTime(backMs)
  clock.addSample(serverNow, sentAt, testClock.monotonicMs())
}

test("before the first response the device's clock is used", () => {
  expect(new ServerClock(testClock).now()).toBe(1_700_000_000_000)
})

test('before the first response the offset stored before a reload is used', () => {
  expect(new ServerClock(testClock, -600_000).now()).toBe(1_700_000_000_000 - 600_000)
})

test("a phone whose clock is five minutes off knows the server's time", () => {
  const clock = new ServerClock(testClock)
  addAnswer(clock, 300_000, 20, 20)
  expect(clock.now()).toBe(Date.now() + 300_000)
})

test('the fastest of the recent responses is used, however slow the others were', () => {
  const clock = new ServerClock(testClock)
  addAnswer(clock, 1000, 10, 400)
  addAnswer(clock, 1000, 5, 7)
  addAnswer(clock, 1000, 900, 3)
  expect(Math.abs(clock.now() - (Date.now() + 1000))).toBeLessThanOrEqual(1)
  expect(clock.errorMs).toBe(6)
})

test('a response read after a page was frozen does not synchronise the clock', () => {
  const clock = new ServerClock(testClock)
  addAnswer(clock, 0, 20, 9000)
  expect(clock.isSynchronized).toBe(false)
  addAnswer(clock, 0, 20, 20)
  expect(clock.isSynchronized).toBe(true)
  expect(clock.now()).toBe(Date.now())
})

test("setting the device's clock changes nothing", () => {
  const clock = new ServerClock(testClock)
  addAnswer(clock, 0, 5, 5)
  const before = clock.now()
  vi.setSystemTime(1_000)
  expect(clock.now()).toBe(before)
})

test('a new connection starts a new estimate', () => {
  const clock = new ServerClock(testClock)
  addAnswer(clock, 0, 1, 1)
  clock.restart()
  addAnswer(clock, 60_000, 50, 50)
  expect(clock.now()).toBe(Date.now() + 60_000)
})

test('a response dated before its request is ignored', () => {
  const clock = new ServerClock(testClock)
  addAnswer(clock, 0, 5, 5)
  clock.addSample(5, testClock.monotonicMs() + 10, testClock.monotonicMs())
  expect(clock.now()).toBe(Date.now())
})

test('a response that contradicts older ones replaces them: the clock had stopped', () => {
  const clock = new ServerClock(testClock)
  for (let n = 0; n < 8; n++) addAnswer(clock, 0, 3, 3)
  // The wall clock stopped as well, so that only the responses show it.
  addAnswer(clock, 900, 20, 20)
  expect(clock.now()).toBe(Date.now() + 900)
  expect(clock.errorMs).toBe(20)
})

// spec: CO-10 CO-12
test('delays double from 200 ms to 4 s, and so never exceed 1, 2, 5 and 10 s (L8)', () => {
  const longest = Array.from({ length: 9 }, (_, attempt) => retryDelayMs(attempt, () => 1))
  expect(longest).toEqual([200, 400, 800, 1600, 3200, 4000, 4000, 4000, 4000])
  expect(retryDelayMs(2, () => 0)).toBe(400)
})

test('after a sleep the wall clock is used until the next response', () => {
  const clock = new ServerClock(testClock)
  expect(clock.isSynchronized).toBe(false)
  addAnswer(clock, 5000, 10, 10)
  expect(clock.isSynchronized).toBe(true)
  const before = clock.now()
  // The monotonic clock stopped.
  const requestedAt = testClock.monotonicMs()
  vi.setSystemTime(Date.now() + 600_000)
  expect(clock.isSynchronized).toBe(false)
  expect(clock.now() - before).toBe(600_000)
  // A response in flight during the sleep is ignored.
  clock.addSample(before, requestedAt - 1, testClock.monotonicMs())
  expect(clock.isSynchronized).toBe(false)
  expect(clock.now() - before).toBe(600_000)
  addAnswer(clock, 5000, 10, 10)
  expect(clock.isSynchronized).toBe(true)
  expect(clock.now()).toBe(Date.now() + 5000)
})

test('a request is sent with tenths of a millisecond, and its response still counts', () => {
  let ms = 12_345.600_000_000_093
  const clock = new ServerClock({ ...testClock, monotonicMs: () => ms })
  const sentAt = clock.request()
  expect(JSON.stringify(sentAt)).toBe('12345.6')
  ms += 20
  clock.addSample(1_700_000_000_000, sentAt, ms)
  expect(clock.roundTripMs).toBeCloseTo(20, 3)
})
