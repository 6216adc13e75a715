import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { testClock } from '#testing/clock.ts'
import { MemoryFixes } from '#testing/live/memoryFixes.ts'
import { ServerClock } from '../serverClock.ts'
import { type CurrentReading, FixReporter } from './fixReporter.ts'
import { UnsentFixes } from './unsentFixes.ts'

const startMs = 1_700_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: startMs })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A driver's phone whose server is `aheadMs` ahead of its wall clock. */
function phone({ aheadMs = 0, isStartedLater = false, fixIntervalMs = 1000 } = {}) {
  const clock = new ServerClock(testClock, 0, 'a')
  const fixes = new MemoryFixes()
  const sent: Fix[] = []
  const connection = { isDriving: false, isDataLinkOff: false }
  let driving: () => void = () => undefined
  let reading: ReturnType<CurrentReading> = null
  const reporter = new FixReporter({
    clock: testClock,
    fixIntervalMs,
    unsent: new UnsentFixes({
      driven: { userId: 'u1', sessionId: 's1' },
      clock: testClock,
      store: fixes,
      report: () => undefined,
      onLost: () => undefined,
    }),
    channel: {
      clock,
      get isDataLinkOff() {
        return connection.isDataLinkOff
      },
      sendFix(fix) {
        if (connection.isDriving) sent.push(fix)
        return connection.isDriving
      },
      onDriving(listener) {
        driving = listener
        return () => undefined
      },
    },
  })
  let stop: () => void = () => undefined
  const start = () => {
    stop = reporter.start(() => reading)
  }
  if (!isStartedLater) start()
  return {
    sent,
    fixes,
    start,
    stop: () => stop(),
    connection,
    read(speedKmh: number, delayMs = 0) {
      const place = { latitude: 50.4, longitude: 5.9, speedKmh, accuracyM: 4, headingDeg: 90 }
      const wallMs = testClock.now()
      reading = {
        reading: place,
        arrival: clock.timeOf(),
        arrivalWallMs: wallMs,
        receiverMs: wallMs - delayMs,
      }
      reporter.readingChanged()
    },
    lose() {
      reading = null
      reporter.readingChanged()
    },
    connect() {
      const sentAt = clock.request()
      clock.addSample(testClock.now() + aheadMs, sentAt, testClock.monotonicMs())
      connection.isDriving = true
      driving()
    },
  }
}

test('a new reading is sent at once, a missing one each second (F1)', () => {
  const { sent, read, lose, connect } = phone()
  connect()
  read(100)
  vi.advanceTimersByTime(1000)
  read(101)
  lose()
  vi.advanceTimersByTime(2000)
  expect(sent.map(({ at, speedKmh }) => [at - startMs, speedKmh])).toEqual([
    [0, null],
    [0, 100],
    [1000, 101],
    [2000, null],
    [3000, null],
  ])
})

test('readings are sent at the interval that was set', () => {
  const { sent, read, connect } = phone({ fixIntervalMs: 250 })
  connect()
  for (const speedKmh of [100, 101, 102]) {
    read(speedKmh)
    vi.advanceTimersByTime(250)
  }
  expect(sent.slice(1).map(({ at, speedKmh }) => [at - startMs, speedKmh])).toEqual([
    [0, 100],
    [250, 101],
    [500, 102],
  ])
})

test('a slightly late reading is sent at once, and none is repeated before it (F1)', () => {
  const { sent, read, connect } = phone()
  connect()
  for (let second = 0; second < 60; second++) {
    const lateMs = second % 2 ? 140 : 0
    vi.advanceTimersByTime(lateMs)
    read(second)
    expect(sent.at(-1)).toMatchObject({ speedKmh: second })
    vi.advanceTimersByTime(1000 - lateMs)
  }
  expect(sent.slice(1)).toHaveLength(60)
})

test('a missing reading is repeated after 1.15 s, and the next one is not late (F1)', () => {
  const { sent, read, connect } = phone()
  connect()
  read(100)
  vi.advanceTimersByTime(1149)
  expect(sent.slice(1)).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(sent.slice(1).map(({ at }) => at)).toEqual([startMs, startMs])
  vi.advanceTimersByTime(850)
  read(101)
  expect(sent.at(-1)).toMatchObject({ at: startMs + 2000, speedKmh: 101 })
})

test('a reading that waited during a sleep keeps the time when it was taken', () => {
  const { sent, read, connect } = phone()
  connect()
  read(100)
  vi.advanceTimersByTime(300)
  read(101)
  // The monotonic clock stops during the sleep.
  vi.setSystemTime(Date.now() + 16_000)
  vi.advanceTimersByTime(600)
  const fix = sent.find(({ speedKmh }) => speedKmh === 101)
  expect(fix?.at).toBe(startMs + 300)
})

test('a reading from before the start keeps its time across a sleep (F4)', () => {
  const { sent, read, connect, start } = phone({ isStartedLater: true })
  read(100)
  vi.advanceTimersByTime(300)
  vi.setSystemTime(Date.now() + 13_000)
  start()
  connect()
  vi.advanceTimersByTime(1000)
  expect(sent.find(({ speedKmh }) => speedKmh === 100)?.at).toBe(startMs)
})

test('a reading from before the clock was known is sent with its corrected time (F4)', async () => {
  const { sent, read, connect } = phone({ aheadMs: -600_000 })
  read(100)
  vi.advanceTimersByTime(700)
  connect()
  expect(sent.map(({ at }) => at)).toEqual([startMs - 600_000])
})

test('a reading sent with its corrected time replaces the queued copy (F4)', async () => {
  const { fixes, read, connect } = phone({ aheadMs: -600_000 })
  read(100)
  await vi.advanceTimersByTimeAsync(700)
  const [queued] = fixes.queued.values()
  expect(queued).toMatchObject({ at: startMs, unsynced: { page: 'a', wallMs: startMs } })
  connect()
  await vi.advanceTimersByTimeAsync(0)
  // Another page would correct the copy by the wall clock, to a different time.
  expect(fixes.queued.size).toBe(0)
  const [inFlight] = fixes.sent.values()
  expect(inFlight).toMatchObject({ at: startMs - 600_000 })
  expect(inFlight).not.toHaveProperty('unsynced')
})

test('a reading with an unknown time is queued once, however often it is reported', async () => {
  const { fixes, read } = phone()
  read(100)
  await vi.advanceTimersByTimeAsync(0)
  expect(fixes.queued.size).toBe(1)
  fixes.queued.clear()
  await vi.advanceTimersByTimeAsync(2500)
  expect(fixes.queued.size).toBe(0)
})

test('a fix has the time of the receiver, not of its arrival (F4)', () => {
  const { sent, read, connect } = phone()
  connect()
  read(100, 180)
  vi.advanceTimersByTime(1000)
  read(101, 20)
  expect(sent.slice(1).map(({ at, headingDeg }) => [at - startMs, headingDeg])).toEqual([
    [-180, 90],
    [980, 90],
  ])
  expect(sent.filter(({ atArrival }) => atArrival)).toEqual([])
})

test('a fix of a receiver with a wrong clock is marked, sent or queued (F4)', async () => {
  const { sent, fixes, read, connect, connection } = phone()
  connect()
  read(100, 3_600_000)
  expect(sent.at(-1)).toMatchObject({ at: startMs, atArrival: true })
  connection.isDriving = false
  await vi.advanceTimersByTimeAsync(1000)
  read(101, 3_600_000)
  await vi.advanceTimersByTimeAsync(0)
  expect([...fixes.queued.values()].at(-1)).toMatchObject({
    at: startMs + 1000,
    speedKmh: 101,
    headingDeg: 90,
    atArrival: true,
  })
})

test('the same reading has the same time whenever it is reported (F4)', () => {
  const { sent, read, connect } = phone()
  connect()
  read(100)
  vi.advanceTimersByTime(3000)
  expect(new Set(sent.filter(({ speedKmh }) => speedKmh !== null).map(({ at }) => at)).size).toBe(1)
  expect(sent.length).toBeGreaterThan(2)
})

test('a corrected reading keeps its time when the clock loses synchronisation (F4)', async () => {
  const { sent, fixes, read, connect, connection } = phone({ aheadMs: -600_000 })
  read(100)
  vi.advanceTimersByTime(700)
  connect()
  await vi.advanceTimersByTimeAsync(0)
  fixes.queued.clear()
  connection.isDriving = false
  vi.setSystemTime(Date.now() + 5000)
  await vi.advanceTimersByTimeAsync(2500)
  const [queued] = fixes.queued.values()
  expect(queued).toMatchObject({ at: sent[0]?.at })
  expect(queued).not.toHaveProperty('unsynced')
})

test('without a data link no fix is sent or queued, then or later (D1)', async () => {
  const { sent, fixes, read, connect, connection } = phone()
  connect()
  connection.isDriving = false
  connection.isDataLinkOff = true
  fixes.queued.clear()
  read(100)
  await vi.advanceTimersByTimeAsync(3000)
  expect([...fixes.queued.values()]).toEqual([])
  expect(sent.filter(({ speedKmh }) => speedKmh === 100)).toEqual([])

  connection.isDataLinkOff = false
  connect()
  read(101)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent.at(-1)).toMatchObject({ speedKmh: 101 })
})

test('nothing is reported after stopping', () => {
  const { sent, stop, connect, read } = phone()
  connect()
  stop()
  read(100)
  const before = sent.length
  vi.advanceTimersByTime(5000)
  expect(sent).toHaveLength(before)
})
