import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { MemoryFixes } from '#testing/live/memoryFixes.ts'
import type { Channel } from '../channel/channel.ts'
import type { ConnectionState } from '../channel/connection.ts'
import type { OpenChannel } from '../channel/whileOpen.ts'
import { ServerClock } from '../serverClock.ts'
import { FixUploader, type UploadAnswer } from './fixUploader.ts'
import type { UnsentFix } from './unsentFixes.ts'

const driven = { userId: 'u1', sessionId: 's1' }
const startMs = 1_700_000_000_000
const place = { latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }

let fixes: MemoryFixes
let openPages: Set<string>
beforeEach(() => {
  openPages = new Set()
  vi.useFakeTimers({ now: startMs })
  fixes = new MemoryFixes()
})
afterEach(() => {
  vi.useRealTimers()
})

/** One page, whose clock is not synchronised before `synchronise`. */
function page(name: string) {
  const clock = new ServerClock(testClock, 0, name)
  const calls: number[][] = []
  const reports: string[] = []
  const lost: number[] = []
  const server: { answer: UploadAnswer; user: string | null; withoutDataLink: string | null } = {
    answer: { refused: [] },
    user: 'u1',
    withoutDataLink: null,
  }
  const uploader = new FixUploader({
    userId: 'u1',
    queue: fixes,
    serverClock: clock,
    openPages: async () => openPages,
    async upload(sessionId, batch) {
      if (sessionId === server.withoutDataLink) return { failed: 'data-link-off' }
      calls.push(batch.map(({ at }) => at))
      return server.answer
    },
    signedIn: async () => server.user,
    report: problem => reports.push(problem),
    onLost: count => lost.push(count),
  })
  return {
    uploader,
    calls,
    reports,
    lost,
    server,
    keep: (ageMs = 0) => fixes.queueFixes(driven, [{ ...clock.timeOf(ageMs), ...place }]),
    synchronise(serverAheadMs: number) {
      const sentAt = clock.request()
      clock.addSample(testClock.now() + serverAheadMs, sentAt, testClock.monotonicMs())
    },
  }
}

test('fixes of a clock that is ten minutes off are uploaded with right times (F4, F7)', async () => {
  const { uploader, calls, keep, synchronise } = page('a')
  await keep()
  vi.advanceTimersByTime(1000)
  await keep()
  await uploader.run()
  expect(calls).toEqual([])

  vi.advanceTimersByTime(60_000)
  synchronise(-600_000)
  await uploader.run()
  expect(calls).toEqual([[startMs - 600_000, startMs - 599_000]])
  expect(fixes.queued.size).toBe(0)
})

test('after a reload the wall clock corrects them, the same for every upload (F7)', async () => {
  await page('a').keep()
  vi.advanceTimersByTime(60_000)
  const { uploader, calls, synchronise, server } = page('b')
  synchronise(-600_000)
  server.answer = { failed: null }
  await uploader.run()
  vi.advanceTimersByTime(5000)
  synchronise(-600_003)
  server.answer = { refused: [] }
  await uploader.run()
  expect(calls).toEqual([[startMs - 600_000], [startMs - 600_000]])
})

test('the fixes of another open page are left to that page (F4, F7)', async () => {
  const other = page('a')
  await other.keep()
  vi.advanceTimersByTime(1000)
  const { uploader, calls, keep, synchronise } = page('b')
  synchronise(-600_000)
  await keep()
  openPages = new Set(['a', 'b'])
  await uploader.run()
  expect(calls).toEqual([[startMs - 599_000]])
  expect(fixes.queued.size).toBe(1)

  other.synchronise(-600_003)
  await other.uploader.run()
  expect(other.calls).toEqual([[startMs - 600_003]])
  await other.keep()
  openPages.delete('a')
  await uploader.run()
  expect(fixes.queued.size).toBe(0)
})

test('after a reload and a clock set back every fix keeps its spacing (F4, F7)', async () => {
  const early = page('a')
  for (let second = 0; second < 600; second++) {
    await early.keep()
    vi.advanceTimersByTime(1000)
  }
  vi.setSystemTime(Date.now() - 3_600_000)
  const { uploader, calls, synchronise } = page('b')
  synchronise(0)
  const now = Date.now()
  await uploader.run()
  const newestFirst = Array.from({ length: 600 }, (_, index) => now - index * 1000)
  expect(calls.flat()).toEqual(newestFirst.toReversed())
})

test("setting the device's clock during a drive changes no time (F4)", async () => {
  const { uploader, calls, keep, synchronise } = page('a')
  await keep()
  vi.advanceTimersByTime(1000)
  // The network set the clock back by ten minutes.
  vi.setSystemTime(startMs + 1000 - 600_000)
  await keep()
  synchronise(0)
  await uploader.run()
  expect(calls).toEqual([[startMs - 600_000, startMs - 599_000]])
})

test('refused fixes are counted and logged, except deleted ones (F7)', async () => {
  const { uploader, server, reports, lost } = page('a')
  await fixes.queueFixes(driven, [1, 2, 3, 4].map(fixAt))
  server.answer = {
    refused: [
      { at: 1, reason: 'outside-session' },
      { at: 2, reason: 'too-old' },
      { at: 3, reason: 'deleted' },
    ],
  }
  await uploader.run()
  expect(lost).toEqual([2])
  expect(reports).toEqual(['2 of 4 stored positions were refused: outside-session, too-old'])
  expect(fixes.queued.size).toBe(0)
})

test('fixes stay queued while offline or while another user is signed in (F8)', async () => {
  const { uploader, server, lost } = page('a')
  await fixes.queueFixes(driven, [fixAt(1)])
  server.answer = { failed: 'not-ready' }
  await uploader.run()
  server.answer = { failed: 'not-the-driver' }
  server.user = 'u2'
  await uploader.run()
  expect([fixes.queued.size, lost]).toEqual([1, []])
  server.user = 'u1'
  await uploader.run()
  expect([fixes.queued.size, lost]).toEqual([0, [1]])
})

test('a session whose data link is off does not block the next sessions (F7, D2)', async () => {
  const { uploader, calls, server } = page('a')
  for (const [sessionId, at] of [
    ['s1', 1],
    ['s3', 2],
    ['s2', 3],
  ] as const)
    await fixes.queueFixes({ ...driven, sessionId }, [fixAt(at)])
  server.withoutDataLink = 's1'
  await uploader.run()
  expect(calls).toEqual([[3], [2]])
  server.withoutDataLink = null
  await uploader.run()
  expect(calls).toEqual([[3], [2], [1]])
  expect(fixes.queued.size).toBe(0)
})

test('uploads when the connection opens, and retries while it is open', async () => {
  const { uploader, calls, server } = page('a')
  await fixes.queueFixes(driven, [fixAt(1)])
  const listeners = new Set<() => void>()
  const channel: Pick<Channel, 'onConnectionState' | 'isDataLinkOff'> & {
    connectionState: ConnectionState
  } = {
    connectionState: { status: 'lost' },
    isDataLinkOff: false,
    onConnectionState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  server.answer = { failed: null }
  const stop = uploader.start(channel, testClock)
  channel.connectionState = { status: 'open', openedAt: 0 }
  for (const listener of listeners) listener()
  await vi.advanceTimersByTimeAsync(0)
  expect(calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls).toHaveLength(2)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([calls.length, listeners.size]).toEqual([2, 0])
})

test('a fix is corrected once the clock is synchronised, before a reload (F4)', async () => {
  const early = page('a')
  const open: OpenChannel = {
    connectionState: { status: 'open', openedAt: 0 },
    isDataLinkOff: false,
    onConnectionState: () => () => undefined,
  }
  const stop = early.uploader.start(open, testClock)
  await early.keep()
  await vi.advanceTimersByTimeAsync(0)
  early.server.answer = { failed: null }
  early.synchronise(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(early.calls).toEqual([[startMs]])
  stop()

  // The network set the clock back before the next page.
  vi.setSystemTime(startMs - 600_000)
  const { uploader, calls, synchronise } = page('b')
  synchronise(600_000)
  await uploader.run()
  expect(calls).toEqual([[startMs]])
  vi.advanceTimersByTime(1000)
  await early.keep()
  early.synchronise(600_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(early.calls).toHaveLength(1)
})

function fixAt(at: number): UnsentFix {
  return { at, ...place }
}
