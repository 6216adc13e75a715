import { expect, test } from 'vitest'
import { drivenCar } from '#testing/drivenCar.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { paceOf } from './pace.ts'
import { pitLoss } from './pitLoss.ts'
import { type StrategyLimits, strategyOf } from './strategy.ts'
import { pitWindow, toGo } from './toGo.ts'

const lapMs = 100_000

function fullLaps(times: readonly number[]): DrivenLap[] {
  let startedAt = 0
  return times.map(timeMs => {
    const lap = { startedAt, timeMs, kind: 'full' as const, isSeen: true, yellow: false }
    startedAt += timeMs
    return lap
  })
}

const driven = drivenCar({
  laps: fullLaps(Array.from({ length: 10 }, () => lapMs)),
  fills: [{ kind: 'start', at: 0, litres: 60 }],
  car: { tankL: 60, reserveL: 3, burnL: 2 },
})

const limits: StrategyLimits = {
  nowMs: 1_000_000,
  times: [],
  stintMs: null,
  race: { leftMs: null, laps: null },
  lapMs: null,
  mandatoryStops: 0,
}

test('the pace is the slowest and the median of the last five green laps', () => {
  expect(paceOf(fullLaps([100_000, 110_000]))).toBeNull()
  expect(paceOf(fullLaps([300_000, 104_000, 101_000, 103_000, 100_000, 102_000]))).toEqual({
    slowestMs: 104_000,
    medianMs: 102_000,
  })
  const laps = fullLaps([100_000, 100_000, 100_000, 900_000, 800_000, 700_000]).map((lap, index) =>
    index === 3
      ? { ...lap, yellow: true }
      : index === 4
        ? { ...lap, kind: 'pit' as const }
        : index === 5
          ? { ...lap, isSeen: false }
          : lap,
  )
  expect(paceOf(laps)?.slowestMs).toBe(100_000)
})

test('in a race of time the last lap is finished, and stops shorten the race', () => {
  const range = { fullLaps: 20, leftLaps: 10 }
  const lap = { lapMs, elapsedMs: 0, stopLossMs: 0, mandatoryStops: 0 }
  expect(toGo({ leftMs: 500_000, laps: null }, range, lap)).toEqual({ laps: 5, stops: 0 })
  expect(toGo({ leftMs: 500_001, laps: null }, range, lap)).toEqual({ laps: 6, stops: 0 })
  expect(toGo({ leftMs: 460_001, laps: null }, range, { ...lap, elapsedMs: 40_000 })?.laps).toBe(6)
  const long = { leftMs: 3_000_000, laps: null }
  expect(toGo(long, range, lap)).toEqual({ laps: 30, stops: 1 })
  expect(toGo(long, range, { ...lap, stopLossMs: 150_000 })).toEqual({ laps: 29, stops: 1 })
  expect(toGo(long, range, { ...lap, mandatoryStops: 3, stopLossMs: 150_000 })).toEqual({
    laps: 26,
    stops: 3,
  })
})

test('a race of laps has those left, and no race none', () => {
  const lap = { lapMs, elapsedMs: null, stopLossMs: 0, mandatoryStops: 0 }
  const range = { fullLaps: 20, leftLaps: 10 }
  expect(toGo({ leftMs: null, laps: 50 }, range, lap)).toEqual({ laps: 50, stops: 2 })
  expect(toGo({ leftMs: null, laps: 51 }, range, lap)).toEqual({ laps: 51, stops: 3 })
  expect(toGo({ leftMs: null, laps: null }, range, lap)).toBeNull()
})

test('the pit window opens when the remaining stops last to the finish', () => {
  const range = { fullLaps: 20, leftLaps: 10 }
  // 25 laps and one stop: after 5 laps 20 are left, so the fourth crossing is before the first possible entry.
  expect(pitWindow({ laps: 25, stops: 1 }, range, 9)).toEqual({ from: 4, to: 9 })
  expect(pitWindow({ laps: 20, stops: 1 }, range, 9)).toEqual({ from: 0, to: 9 })
  expect(pitWindow({ laps: 25, stops: 0 }, range, 9)).toBeNull()
})

test('fuel, laps to pit and laps to go of one car', () => {
  const now = strategyOf(driven, { ...limits, race: { leftMs: 7_200_000, laps: null } })
  // ± of four fills: 2.2 · 10 % / 2.
  const burnL = 2 * 1.11
  expect(now.fuel?.leftL).toBeCloseTo(40, 6)
  expect(now.lapsToPit).toBe(Math.floor((40 - 10 * 0.22 - 3) / burnL) - 1)
  expect(now.toGo).toEqual({ laps: 72, stops: 3 })
  expect(now.window).toEqual({ from: 0, to: 14 })
})

test('a car that reaches the finish does not need to stop', () => {
  const race = { leftMs: 1_000_000, laps: null }
  expect(strategyOf(driven, { ...limits, race }).lapsToPit).toBeNull()
  expect(strategyOf(driven, { ...limits, race, mandatoryStops: 1 }).lapsToPit).not.toBeNull()
})

test('a required stop is due before the last lap, in which it is too late', () => {
  const due = (leftMs: number, mandatoryStops = 1) => {
    const race = { leftMs, laps: null }
    const { lapsToPit, pitReason, toGo } = strategyOf(driven, { ...limits, race, mandatoryStops })
    return { lapsToPit, pitReason, stops: toGo?.stops }
  }
  expect(due(1_000_000)).toEqual({ lapsToPit: 8, pitReason: 'stops', stops: 1 })
  expect(due(1_000_000, 2)).toEqual({ lapsToPit: 7, pitReason: 'stops', stops: 2 })
  expect(due(200_000)).toEqual({ lapsToPit: 0, pitReason: 'stops', stops: 1 })
  expect(due(0)).toEqual({ lapsToPit: null, pitReason: null, stops: 0 })
  // The fuel ends first.
  expect(due(2_000_000)).toMatchObject({ pitReason: 'fuel' })
})

test('without laps only limits of time are known', () => {
  const times = [{ reason: 'stint', leftMs: 1_440_000 }] as const
  const now = strategyOf({ ...driven, laps: [] }, { ...limits, times, stintMs: 4_200_000 })
  expect(now).toMatchObject({ lapsToPit: null, limitLeftMs: 1_440_000, pitReason: 'stint' })
  expect(now.toGo).toBeNull()
})

test('a lap that began in the pits counts from their end', () => {
  const times = [{ reason: 'stint', leftMs: 300_000 }] as const
  const stint = { ...limits, times, nowMs: 1_200_000 }
  const car = { ...driven, car: null }
  expect(strategyOf(car, stint).lapsToPit).toBe(3)
  const visits = [{ startedAt: 990_000, endedAt: 1_190_000, stoppedAt: null, leftAt: null }]
  expect(strategyOf({ ...car, visits }, stint).lapsToPit).toBe(2)
})

test('a stop costs the time beyond usual laps, and less while the others are slow', () => {
  const laps = fullLaps([lapMs, lapMs, lapMs, 260_000, lapMs]).map((lap, index) =>
    index === 3 ? { ...lap, kind: 'pit' as const } : lap,
  )
  const visits = [{ startedAt: 390_000, endedAt: 560_000 }]
  expect(pitLoss(laps, visits)).toEqual({ greenMs: 160_000, yellowMs: null, stops: 1 })
  const slow: DrivenLap = {
    startedAt: 660_000,
    timeMs: 200_000,
    kind: 'full',
    isSeen: true,
    yellow: true,
  }
  // 10 s of the circuit take 20 s at half the pace.
  expect(pitLoss([...laps, slow], visits)).toEqual({
    greenMs: 160_000,
    yellowMs: 150_000,
    stops: 1,
  })
  expect(pitLoss(laps, [])).toBeNull()
})

test('with the line beside the pit lane the laps around the stop are whole ones', () => {
  const laps = fullLaps([lapMs, lapMs, 115_000, 245_000, lapMs]).map((lap, index) =>
    index === 2
      ? { ...lap, kind: 'in' as const }
      : index === 3
        ? { ...lap, kind: 'out' as const }
        : lap,
  )
  expect(pitLoss(laps, [{ startedAt: 300_000, endedAt: 470_000 }])?.greenMs).toBe(160_000)
})

test.each([
  [7, 2, null],
  [7, 1, null],
  [7, 3, 0],
  [5.5, 2, 0],
  [10, 3, null],
])('with %d L for laps of 3 L and %d laps to go, laps to pit are %s', (litres, laps, expected) => {
  const short = (reserveL: number | null) =>
    strategyOf(
      {
        ...driven,
        fills: [{ kind: 'start', at: 1_000_000, litres }],
        car: { tankL: 60, reserveL, burnL: 3 },
      },
      { ...limits, race: { leftMs: null, laps } },
    )
  expect(short(null)).toMatchObject({
    lapsToPit: expected,
    toGo: { stops: expected === null ? 0 : 1 },
  })
  // The entered reserve stays in the tank.
  expect(short(litres).lapsToPit).toBe(laps > 1 ? 0 : null)
})
