import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import type { ReplayFix } from '#contract/shared/positionColumns.ts'
import { PositionStore } from './positionStore.ts'

const first = 1_000_000

/** A car that drives north at 1 Hz for half an hour, without positions in one minute. */
const driven: ReplayFix[] = Array.from({ length: 1800 }, (_, second) => ({
  at: first + second * 1000,
  latitude: second / 1000,
  longitude: 5,
  speedKmh: 100,
})).filter(({ at }) => at < first + 3 * minuteMs || at >= first + 4 * minuteMs)
const last = driven.at(-1)!.at

function scene() {
  const asked: [number, number][] = []
  let failing = false
  const changed: (() => void)[] = []
  const store = new PositionStore(
    { first, last },
    async (from, until) => {
      asked.push([from - first, until - first])
      if (failing) throw new Error('unreachable')
      return driven.filter(({ at }) => at >= from && at < until)
    },
    () => changed.splice(0).forEach(done => done()),
  )
  return {
    store,
    asked,
    fail: (yes: boolean) => {
      failing = yes
    },
    /** Resolves once another part was loaded or not. */
    change: () => new Promise<void>(resolve => void changed.push(resolve)),
  }
}

test('the part around a time and the next one are loaded once', async () => {
  const { store, asked, change } = scene()
  expect(store.isLoaded(first)).toBe(false)
  store.want(first)
  store.want(first + 1000)
  await change()
  expect(asked).toEqual([
    [0, 10 * minuteMs],
    [10 * minuteMs, 20 * minuteMs],
  ])
  expect(store.isLoaded(first + 9 * minuteMs)).toBe(true)
  expect(store.between(first + 1500, first + 4000).map(({ at }) => at - first)).toEqual([
    2000, 3000, 4000,
  ])
})

test('the car moves in a straight line between two fixes, and is nowhere in a gap', async () => {
  const { store, change } = scene()
  store.want(first)
  await change()
  expect(store.at(first + 10_500)).toMatchObject({ longitude: 5, speedKmh: 100 })
  expect(store.at(first + 10_500)?.latitude).toBeCloseTo(0.0105, 9)
  expect(store.at(first - 1)).toBeNull()
  // The phone shows its last speed for 3 s.
  expect(store.at(first + 3 * minuteMs + 2000)).toMatchObject({ latitude: 0.179 })
  expect(store.at(first + 3 * minuteMs + 2001)).toBeNull()
  expect(store.at(first + 4 * minuteMs - 1)).toBeNull()
  expect(store.at(first + 4 * minuteMs)).toMatchObject({ latitude: 0.24 })
})

test('a part that did not load is loaded again on request only', async () => {
  const { store, asked, fail, change } = scene()
  fail(true)
  store.want(first)
  await change()
  expect(store.failure).toBeInstanceOf(Error)
  const tries = asked.length
  store.want(first)
  expect(asked).toHaveLength(tries)
  fail(false)
  store.retry(first)
  await change()
  expect(store.isLoaded(first)).toBe(true)
  expect(store.failure).toBeNull()
})

test('positions that a phone stored later are loaded when their part is wanted again', async () => {
  const { store, asked, change } = scene()
  store.want(first)
  await change()
  const gap = first + 3 * minuteMs + 30_000
  expect(store.at(gap)).toBeNull()
  const [before] = driven.slice(180)
  driven.splice(180, 0, { at: gap, latitude: 0.21, longitude: 5, speedKmh: 100 })
  store.reload()
  // Loaded positions stay until the response.
  expect(store.isLoaded(gap)).toBe(true)
  store.want(gap)
  await change()
  expect(store.at(gap)).toMatchObject({ latitude: 0.21 })
  expect(store.between(gap, first + 5 * minuteMs)[1]).toEqual(before)
  store.want(gap)
  expect(asked).toHaveLength(4)
  driven.splice(180, 1)
})

test('a part that is loaded stays if it does not load again, until the next time', async () => {
  const { store, asked, fail, change } = scene()
  store.want(first)
  await change()
  fail(true)
  store.reload()
  store.want(first)
  await change()
  expect(store.failure).toBeNull()
  expect(store.at(first)).toMatchObject({ latitude: 0 })
  const tries = asked.length
  store.want(first)
  expect(asked).toHaveLength(tries)
  fail(false)
  store.reload()
  store.want(first)
  expect(asked.length).toBeGreaterThan(tries)
})

test('a session that goes on loads only what is new', async () => {
  const { store, asked, change } = scene()
  store.want(last)
  await change()
  expect(asked.at(-1)).toEqual([20 * minuteMs, last + 1 - first])
  store.extend(last + 500)
  expect(store.isLoaded(last + 500)).toBe(false)
  store.want(last + 500)
  await change()
  expect(asked.at(-1)).toEqual([last + 1 - first, last + 501 - first])
})

test('deleted positions vanish, also those that are loaded at that time', async () => {
  const { store, change } = scene()
  store.want(first)
  await change()
  const deletedMs = first + 5 * minuteMs
  store.forgetBefore(deletedMs)
  expect(store.at(first + minuteMs)).toBeNull()
  expect(store.between(first, last)[0]?.at).toBeGreaterThanOrEqual(deletedMs)

  const other = scene()
  other.store.want(first)
  other.store.forgetBefore(deletedMs)
  await other.change()
  expect(other.store.isLoaded(first)).toBe(true)
  expect(other.store.between(first, last)[0]?.at).toBeGreaterThanOrEqual(deletedMs)
})
