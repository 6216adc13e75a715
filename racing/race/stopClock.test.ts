import { describe, expect, test } from 'vitest'
import {
  doneMarginMs,
  earlyMs,
  mergedVisits,
  type StopRule,
  stopClock,
  type Visit,
} from './stopClock.ts'

const lane: StopRule = { counts: 'lane', minimumMs: 180_000 }
const standing: StopRule = { counts: 'standing', minimumMs: 60_000 }
const inPits: Visit = { startedAt: 1_000_000, endedAt: null, stoppedAt: null, leftAt: null }
/** A finished visit, whose car needed some seconds from its box to the exit. */
function visit(startedAt: number, exitS: number, stopS = 60): Visit {
  const leftAt = startedAt + (20 + stopS) * 1000
  return { startedAt, stoppedAt: startedAt + 20_000, leftAt, endedAt: leftAt + exitS * 1000 }
}

test('outside the pits the clock is hidden', () => {
  expect(stopClock([], lane, 5)).toBeNull()
  expect(stopClock([visit(0, 20)], lane, 200_000)).toBeNull()
})

test('without a minimum the clock only counts from pit-in', () => {
  expect(stopClock([inPits], null, 1_042_000)).toEqual({
    pitInAt: 1_000_000,
    elapsedMs: 42_000,
    minimumMs: null,
    doneAt: null,
    isDone: false,
    wayOutMs: 0,
    hasLeftBox: false,
  })
})

describe('a minimum from pit-in to pit-out', () => {
  test('is done at the minimum and 1 s before the first box-to-exit time is known', () => {
    const clock = stopClock([inPits], lane, 1_100_000)
    expect(clock).toMatchObject({ elapsedMs: 100_000, minimumMs: 180_000, isDone: false })
    expect(clock?.doneAt).toBe(1_000_000 + 181_000)
    const stopped = { ...inPits, stoppedAt: 1_020_000 }
    expect(stopClock([stopped], lane, 1_180_999)?.isDone).toBe(false)
    expect(stopClock([stopped], lane, 1_181_000)?.isDone).toBe(true)
  })

  test('is not done before the car stands, even if only the way to the exit is left', () => {
    const short: StopRule = { counts: 'lane', minimumMs: 40_000 }
    const visits = [visit(0, 18), inPits]
    expect(stopClock(visits, short, 1_024_000)).toMatchObject({ isDone: false, wayOutMs: 18_000 })
    const stopped = { ...inPits, stoppedAt: 1_023_000 }
    expect(stopClock([visit(0, 18), stopped], short, 1_026_000)?.isDone).toBe(true)
  })

  test('lasts to the exit for a car that left its box too early', () => {
    const left = { ...inPits, stoppedAt: 1_020_000, leftAt: 1_150_000 }
    const clock = stopClock([visit(0, 18), left], lane, 1_165_000)
    expect(clock).toMatchObject({ doneAt: 1_181_000, isDone: false, wayOutMs: 0 })
    const late = { ...left, leftAt: 1_163_000 }
    expect(stopClock([visit(0, 18), late], lane, 1_165_000)?.isDone).toBe(true)
  })

  test('is done earlier by the shortest box-to-exit time of the session', () => {
    const visits = [visit(0, 25), visit(400_000, 18), visit(700_000, 40), inPits]
    expect(stopClock(visits, lane, 1_000_000)?.doneAt).toBe(1_000_000 + 181_000 - 18_000)
  })

  test('is done later in a box further down the lane than the known one', () => {
    const doneIn = (stoppedAt: number) =>
      stopClock([visit(0, 17), { ...inPits, stoppedAt }], lane, 1_040_000)?.doneAt
    expect(doneIn(1_020_000)).toBe(1_181_000 - 17_000)
    expect(doneIn(1_028_000)).toBe(1_181_000 - 9_000)
    expect(doneIn(1_060_000)).toBe(1_181_000)
    // The way from a box nearer to the pit-in line is longer, by an unknown time.
    expect(doneIn(1_012_000)).toBe(1_181_000 - 17_000)
  })

  test('takes the way of the most similar visit: another one waited before its box', () => {
    const queued = { ...visit(0, 17), stoppedAt: 6000 }
    const stopped = { ...inPits, stoppedAt: 1_020_000 }
    const doneAt = (before: Visit[]) => stopClock([...before, stopped], lane, 1_040_000)?.doneAt
    expect(doneAt([queued])).toBe(1_181_000 - 3000)
    expect(doneAt([queued, visit(400_000, 17)])).toBe(1_181_000 - 17_000)
  })

  test('does not use a visit without a stop, or one that has not ended', () => {
    const through = { startedAt: 0, endedAt: 30_000, stoppedAt: null, leftAt: null }
    const unfinished = { ...inPits, stoppedAt: 1_020_000, leftAt: 1_030_000 }
    expect(stopClock([through, unfinished], lane, 1_040_000)?.doneAt).toBe(1_181_000)
  })
})

describe('a visit whose entry no position shows', () => {
  const found: Visit = { ...inPits, stoppedAt: inPits.startedAt }
  const ended = { ...found, leftAt: 1_060_000, endedAt: 1_080_000 }

  test('has no minimum of the lane, and was not too short for it', () => {
    expect(stopClock([found], lane, 1_042_000)).toEqual(stopClock([found], null, 1_042_000))
    expect(earlyMs(ended, lane)).toBeNull()
  })

  test('keeps the minimum of the stop, as far as it was seen', () => {
    expect(stopClock([found], standing, 1_042_000)).toMatchObject({ minimumMs: 60_000 })
    expect(earlyMs({ ...ended, leftAt: 1_050_000 }, standing)).toBe(10_000)
  })

  test('begins where the phone knows its entry', () => {
    const own = { ...found, startedAt: 980_000 }
    expect(mergedVisits([found], [own])).toEqual([own])
  })
})

describe('a minimum of the stop', () => {
  test('counts from the standstill, and does not begin before', () => {
    expect(stopClock([visit(0, 18), inPits], standing, 1_010_000)).toMatchObject({
      elapsedMs: 0,
      doneAt: null,
      isDone: false,
    })
    const stopped = { ...inPits, stoppedAt: 1_012_000 }
    expect(stopClock([visit(0, 18), stopped], standing, 1_042_000)).toMatchObject({
      elapsedMs: 30_000,
      doneAt: 1_012_000 + 60_000 + doneMarginMs,
    })
  })

  test('stops counting when the car leaves its box', () => {
    const left = { ...inPits, stoppedAt: 1_012_000, leftAt: 1_052_000 }
    expect(stopClock([left], standing, 1_090_000)).toMatchObject({
      elapsedMs: 40_000,
      isDone: false,
    })
    const late = { ...left, leftAt: 1_080_000 }
    expect(stopClock([late], standing, 1_090_000)?.isDone).toBe(true)
  })
})

test('who leaves at DONE, as fast as before, passes the exit at the minimum and 1 s', () => {
  const before = visit(0, 18)
  const clock = stopClock([before, inPits], lane, 1_000_000)
  const endedAt = clock!.doneAt! + 18_000
  const left = { startedAt: 1_000_000, endedAt, stoppedAt: 1_020_000, leftAt: clock!.doneAt }
  expect(endedAt - left.startedAt).toBe(lane.minimumMs + doneMarginMs)
  expect(earlyMs(left, lane)).toBeNull()
})

test('a stop that was too short is reported with its difference', () => {
  expect(earlyMs(visit(0, 18, 130), lane)).toBe(12_000)
  expect(earlyMs(visit(0, 18, 143), lane)).toBeNull()
  expect(earlyMs(visit(0, 18, 40), standing)).toBe(20_000)
  expect(earlyMs(visit(0, 18, 40), null)).toBeNull()
  expect(earlyMs(inPits, lane)).toBeNull()
})

test('a drive-through does not count as a stop that was too short', () => {
  expect(earlyMs({ startedAt: 0, endedAt: 30_000, stoppedAt: null, leftAt: null }, lane)).toBeNull()
})

describe('visits of the phone and of the server', () => {
  const own: Visit = { startedAt: 1_000_400, endedAt: null, stoppedAt: 1_020_000, leftAt: null }

  test('the start of the server counts, and the end that the phone has found already', () => {
    expect(mergedVisits([inPits], [own])).toEqual([{ ...inPits, stoppedAt: 1_020_000 }])
    const ended = { ...own, leftAt: 1_080_000, endedAt: 1_090_000 }
    expect(mergedVisits([inPits], [ended])).toEqual([{ ...ended, startedAt: 1_000_000 }])
  })

  test('an ended visit of the server is final', () => {
    const ended = visit(1_000_000, 18)
    expect(mergedVisits([ended], [own])).toEqual([ended])
  })

  test('a visit that the server does not know follows its visits', () => {
    const next = { ...inPits, startedAt: 2_000_000 }
    expect(mergedVisits([visit(0, 18)], [next])).toEqual([visit(0, 18), next])
    const ended = visit(1_000_000, 18)
    expect(mergedVisits([inPits], [ended, next])).toEqual([ended, next])
  })
})
