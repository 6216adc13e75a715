import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { retryDelayMs } from '../connection/backoff.ts'
import { ServerClock } from './serverClock.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** One answer over a connection whose ways there and back took this long. */
function hear(clock: ServerClock, serverAheadMs: number, thereMs: number, backMs: number) {
  const sentAt = testClock.monotonicMs()
  vi.advanceTimersByTime(thereMs)
  const serverNow = Date.now() + serverAheadMs
  vi.advanceTimersByTime(backMs)
  clock.addSample(serverNow, sentAt, testClock.monotonicMs())
}

test('before a server spoke it is this device that tells the time', () => {
  expect(new ServerClock(testClock).now()).toBe(1_700_000_000_000)
})

test('until then it goes by what it knew before a reload', () => {
  expect(new ServerClock(testClock, -600_000).now()).toBe(1_700_000_000_000 - 600_000)
})

test('a phone whose clock is five minutes wrong knows the time of the server', () => {
  const clock = new ServerClock(testClock)
  hear(clock, 300_000, 20, 20)
  expect(clock.now()).toBe(Date.now() + 300_000)
})

test('the quickest of the recent answers is believed, however slow the others were', () => {
  const clock = new ServerClock(testClock)
  hear(clock, 1000, 10, 400)
  hear(clock, 1000, 5, 7)
  hear(clock, 1000, 900, 3)
  expect(Math.abs(clock.now() - (Date.now() + 1000))).toBeLessThanOrEqual(1)
  expect(clock.errorMs).toBe(6)
})

test('setting the clock of the device changes nothing', () => {
  const clock = new ServerClock(testClock)
  hear(clock, 0, 5, 5)
  const before = clock.now()
  vi.setSystemTime(1_000)
  expect(clock.now()).toBe(before)
})

test('a new connection starts a new estimate', () => {
  const clock = new ServerClock(testClock)
  hear(clock, 0, 1, 1)
  clock.restart()
  hear(clock, 60_000, 50, 50)
  expect(clock.now()).toBe(Date.now() + 60_000)
})

test('an answer that came before it was asked for is not believed', () => {
  const clock = new ServerClock(testClock)
  hear(clock, 0, 5, 5)
  clock.addSample(5, testClock.monotonicMs() + 10, testClock.monotonicMs())
  expect(clock.now()).toBe(Date.now())
})

test('an answer that no older one fits replaces them: the steady clock stood still for a moment', () => {
  const clock = new ServerClock(testClock)
  for (let n = 0; n < 8; n++) hear(clock, 0, 3, 3)
  // The wall clock stood still as well, so that only the answers show it.
  hear(clock, 900, 20, 20)
  expect(clock.now()).toBe(Date.now() + 900)
  expect(clock.errorMs).toBe(20)
})

// spec: CO-10 CO-12
test('waits double from 200 ms to 4 s, and so never exceed 1, 2, 5 and 10 s (L8)', () => {
  const longest = Array.from({ length: 9 }, (_, attempt) => retryDelayMs(attempt, () => 1))
  expect(longest).toEqual([200, 400, 800, 1600, 3200, 4000, 4000, 4000, 4000])
  expect(retryDelayMs(2, () => 0)).toBe(400)
})

test('a device that slept goes by the time set on it until the server has spoken again', () => {
  const clock = new ServerClock(testClock)
  expect(clock.sure).toBe(false)
  hear(clock, 5000, 10, 10)
  expect(clock.sure).toBe(true)
  const before = clock.now()
  // The steady clock stood still.
  const askedBefore = testClock.monotonicMs()
  vi.setSystemTime(Date.now() + 600_000)
  expect(clock.sure).toBe(false)
  expect(clock.now() - before).toBe(600_000)
  // An answer that was under way meanwhile tells nothing.
  clock.addSample(before, askedBefore - 1, testClock.monotonicMs())
  expect(clock.sure).toBe(false)
  expect(clock.now() - before).toBe(600_000)
  hear(clock, 5000, 10, 10)
  expect(clock.sure).toBe(true)
  expect(clock.now()).toBe(Date.now() + 5000)
})
