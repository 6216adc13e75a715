import { expect, test, vi } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { MemoryFixes } from '#testing/live/memoryFixes.ts'
import { UnsentFixes } from './unsentFixes.ts'

function fixAt(at: number): Fix {
  return { at, latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }
}

/** The device's storage, as it would be found after a reload. */
function device() {
  const store = new MemoryFixes()
  const clock = heldClock()
  const reports: string[] = []
  const lost: number[] = []
  const fixes = new UnsentFixes({
    driven: { userId: 'u1', sessionId: 's1' },
    clock,
    store,
    report: problem => reports.push(problem),
    onLost: count => lost.push(count),
  })
  const times = () => ({
    queued: [...store.queued.values()].map(({ at }) => at),
    sent: [...store.sent.values()].map(({ at }) => at),
  })
  return { fixes, store, clock, times, reports, lost }
}

test('a fix that was not sent is queued, unless it has no position (F7)', () => {
  const { fixes, times } = device()
  fixes.add(fixAt(1), false)
  fixes.add({ ...fixAt(2), latitude: null, longitude: null }, false)
  fixes.add({ ...fixAt(3), latitude: null, longitude: null }, true)
  expect(times()).toEqual({ queued: [1], sent: [] })
})

test('a sent fix stays on the device until the server has stored it (F8)', () => {
  const { fixes, times } = device()
  for (const at of [1, 2, 3]) fixes.add(fixAt(at), true)
  expect(times().sent).toEqual([1, 2, 3])

  fixes.acknowledge(2)
  fixes.add(fixAt(4), true)
  expect(times()).toEqual({ queued: [], sent: [3, 4] })
})

test('an acknowledged time that was never sent changes nothing (F8)', () => {
  const { fixes, times } = device()
  fixes.add(fixAt(5), true)
  fixes.acknowledge(9)
  fixes.add(fixAt(6), true)
  expect(times().sent).toEqual([5, 6])
})

test('fixes in flight on a closed connection are queued once (F7)', () => {
  const { fixes, times } = device()
  fixes.add(fixAt(1), true)
  fixes.add(fixAt(2), true)
  fixes.connectionLost()
  fixes.connectionLost()
  expect(times()).toEqual({ queued: [1, 2], sent: [] })
})

test('a failing storage is reported once, and each lost fix is counted', async () => {
  const { fixes, store, reports, lost } = device()
  store.isFull = true
  fixes.add(fixAt(1), false)
  fixes.add(fixAt(2), true)
  fixes.add(fixAt(3), false)
  await vi.waitFor(() => expect(lost).toEqual([1, 1]))
  expect(reports).toEqual(['A fix could not be stored on the device: Error: QuotaExceededError'])
})

test('a sent fix that could not be stored is queued when the connection closes (F7)', async () => {
  const { fixes, store, times, reports, lost } = device()
  store.isFull = true
  for (const at of [1, 2]) fixes.add(fixAt(at), true)
  await vi.waitFor(() => expect(reports).toHaveLength(1))
  fixes.acknowledge(1)

  store.isFull = false
  fixes.connectionLost()
  expect(times()).toEqual({ queued: [2], sent: [] })
  expect(lost).toEqual([])
})

test('a sent fix that can neither be stored nor queued is counted as lost (F7)', async () => {
  const { fixes, store, lost } = device()
  store.isFull = true
  fixes.add(fixAt(1), true)
  fixes.add(fixAt(2), true)
  fixes.connectionLost()
  await vi.waitFor(() => expect(lost.reduce((sum, count) => sum + count, 0)).toBe(2))
})

test('fixes in flight are queued later if storing fails when the connection closes', async () => {
  const { fixes, store, clock, times, reports } = device()
  fixes.add(fixAt(1), true)
  store.isFull = true
  fixes.connectionLost()
  await vi.waitFor(() => expect(reports).toHaveLength(1))

  store.isFull = false
  await vi.waitFor(() => {
    clock.pass(5000)
    expect(times()).toEqual({ queued: [1], sent: [] })
  })
})

test('a fix that replaces a queued one does so later if storing fails (F4)', async () => {
  const { fixes, store, times, reports } = device()
  fixes.add(fixAt(1), false)
  store.isFull = true
  fixes.add(fixAt(2), true, 1)
  await vi.waitFor(() => expect(reports).toHaveLength(1))

  store.isFull = false
  fixes.add(fixAt(3), true)
  expect(times()).toEqual({ queued: [], sent: [3] })
})
