import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { carPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { stintTimes } from './carStints.ts'
import { carStrategy } from './carStrategy.ts'
import { planSheet } from './planSheet.ts'
import { stintSequence } from './stintSequence.ts'

const lapMs = 100_000
/** A plan whose only stint lasts to the end, so that it names no stop. */
const stints = [{ number: 1, driverId: null, lengthMs: 60 * minuteMs }]
const plan = { driverIds: [], stopMs: minuteMs, lapMs, stints }
const once: RaceRules = { ...noRules, stops: { kind: 'count', count: 1 } }

/** Green laps from the start of the race on. */
function lapsOf(times: readonly number[]): DrivenLap[] {
  let startedAt = 0
  return times.map(timeMs => {
    const lap = { startedAt, timeMs, kind: 'full' as const, isSeen: true, yellow: false }
    startedAt += timeMs
    return lap
  })
}

function carIn(
  race: Partial<NonNullable<CarRace['race']>>,
  values: Omit<NonNullable<Parameters<typeof drivenCar>[0]>, 'race'> = {},
): CarRace {
  const started = { startedAt: 0, endedAt: null, pauses: [], rules: once }
  return drivenCar({
    race: { ...started, length: { in: 'time', ms: 1_100_000 }, ...race },
    plan,
    ...values,
  })
}

const nineLaps = lapsOf(Array.from({ length: 9 }, () => lapMs))

test('a required stop is called for in time if each lap is as slow as the slowest', () => {
  const times = [100_000, 100_000, 110_000, 100_000]
  const due = (more: readonly number[]) => {
    const laps = lapsOf([...times, ...more])
    const car = carIn({ length: { in: 'time', ms: 715_000 } }, { laps })
    const { lapsToPit, pitReason } = carStrategy(car, laps.at(-1)!.startedAt + more.at(-1)!)
    return { lapsToPit, pitReason }
  }
  // In the lap after the next one, at 110 s a lap, the time is up.
  expect(due([100_000])).toEqual({ lapsToPit: 0, pitReason: 'stops' })
  expect(due([100_000, 110_000])).toEqual({ lapsToPit: null, pitReason: null })
  const later = carIn(
    { length: { in: 'time', ms: 735_001 } },
    { laps: lapsOf([...times, 100_000]) },
  )
  expect(carStrategy(later, 510_000).lapsToPit).toBe(1)
})

test('while the clock is paused, neither laps to go nor a required stop move', () => {
  const laps = lapsOf([100_000, 100_000, 100_000, 100_000, 100_000])
  const at = (nowMs: number, to: number | null) => {
    const pauses = [{ from: 550_000, to }]
    const car = carIn({ length: { in: 'time', ms: 750_000 }, pauses }, { laps })
    const { toGo, lapsToPit, pitReason } = carStrategy(car, nowMs)
    return { laps: toGo?.laps, lapsToPit, pitReason }
  }
  const paused = at(550_000, null)
  expect(paused).toEqual({ laps: 3, lapsToPit: 1, pitReason: 'stops' })
  expect(at(550_000 + 30 * minuteMs, null)).toEqual(paused)
  expect(at(550_000 + 30.1 * minuteMs, 550_000 + 30 * minuteMs)).toEqual(paused)
})

test('a car that stands on the track does not get more laps until a required stop', () => {
  const laps = lapsOf([100_000, 100_000, 100_000, 100_000, 100_000])
  const car = carIn({ length: { in: 'time', ms: 1_100_000 } }, { laps })
  const figures = [500_000, 700_000, 900_000].map(nowMs => carStrategy(car, nowMs).lapsToPit)
  expect(figures).toEqual([4, 3, 1])
})

test('the pit window ends with the last lap in which a required stop counts', () => {
  const laps = lapsOf([100_000, 100_000, 100_000, 100_000, 100_000])
  for (const length of [
    { in: 'laps', laps: 7 },
    { in: 'time', ms: 700_000 },
  ] as const) {
    const { lapsToPit, pitReason, window } = carStrategy(carIn({ length }, { laps }), 510_000)
    expect({ lapsToPit, pitReason, window }).toEqual({
      lapsToPit: 0,
      pitReason: 'stops',
      window: { from: 0, to: 0 },
    })
  }
})

test('a stop of which only the fuel is known is made', () => {
  const left = (values: Parameters<typeof carIn>[1], nowMs = 970_000) =>
    carStrategy(carIn({ rules: { ...once, stops: { kind: 'count', count: 3 } } }, values), nowMs)
      .mandatoryStops
  const fill = (at: number) => ({ kind: 'part' as const, at, litres: 9 })
  const start = { kind: 'start' as const, at: 0, litres: 60 }
  const laps = nineLaps
  expect(left({ laps, fills: [start] })).toBe(3)
  expect(left({ laps, fills: [start, fill(450_000)] })).toBe(2)
  // Two entries of one stop.
  expect(left({ laps, fills: [start, fill(450_000), fill(470_000)] })).toBe(2)
  expect(left({ laps, fills: [fill(-450_000), fill(10_000)] })).toBe(2)
  const stints = [
    { driverId: 'theo', from: 0, to: 430_000 },
    { driverId: 'noor', from: 430_000, to: null },
  ]
  expect(left({ laps, stints, fills: [start, fill(450_000)] })).toBe(2)
  const early = [
    { driverId: 'theo', from: 0, to: 100_000 },
    { driverId: 'noor', from: 100_000, to: null },
  ]
  // The first fill after a stop is of it, however late it was entered.
  expect(left({ laps, stints: early, fills: [start, fill(800_000)] })).toBe(2)
  expect(left({ laps, stints: early, fills: [start, fill(110_000), fill(800_000)] })).toBe(1)
  const seen = { startedAt: 420_000, stoppedAt: 430_000, leftAt: 480_000, endedAt: 490_000 }
  for (const at of [415_000, 450_000, 600_000])
    expect(left({ laps, visits: [seen], fills: [start, fill(at)] })).toBe(2)
  // Positions show the pit lane, but not that the car stood in it.
  const passed = { ...seen, stoppedAt: null, leftAt: null }
  expect(left({ laps, visits: [passed], fills: [start] })).toBe(3)
  expect(left({ laps, visits: [passed], fills: [start, fill(450_000)] })).toBe(2)
  // Until it ends, a stop is not made.
  const open = { ...seen, endedAt: null, leftAt: null }
  expect(left({ laps: laps.slice(0, 4), visits: [open], fills: [fill(450_000)] }, 460_000)).toBe(3)
})

test('after a stop of which only the fuel is known the rest is divided from there', () => {
  const fills = [{ kind: 'full' as const, at: 450_000, litres: 9 }]
  expect(carStrategy(carIn({}, { laps: nineLaps, fills }), 900_000)).toMatchObject({
    mandatoryStops: 0,
    lapsToPit: null,
    pitReason: null,
  })
})

test('what is filled or stopped for after the finish is no stop of the race', () => {
  const laps = lapsOf(Array.from({ length: 12 }, () => lapMs))
  const fills = [{ kind: 'full' as const, at: 1_250_000, litres: 9 }]
  const visits = [
    { startedAt: 1_210_000, stoppedAt: 1_220_000, leftAt: 1_280_000, endedAt: 1_290_000 },
  ]
  expect(carStrategy(carIn({}, { laps, fills }), 1_300_000).mandatoryStops).toBe(1)
  expect(carStrategy(carIn({}, { laps, visits }), 1_300_000).mandatoryStops).toBe(1)
})

test('the flag does not change the stops that the length of a race requires', () => {
  const rules: RaceRules = { ...noRules, stops: { kind: 'formula', everyMinutes: 60, minus: 0 } }
  const left = (lengthMinutes: number, laps: number, more: object = {}) => {
    const length = { in: 'time', ms: lengthMinutes * minuteMs } as const
    const driven = lapsOf(Array.from({ length: laps }, () => 2 * minuteMs))
    const nowMs = laps * 2 * minuteMs + 1000
    return carStrategy(carIn({ length, rules, ...more }, { laps: driven }), nowMs).mandatoryStops
  }
  expect([left(59.5, 29), left(59.5, 30)]).toEqual([0, 0])
  expect([left(60, 20), left(60, 20, { endedAt: 40 * minuteMs })]).toEqual([1, 1])
})

test('a driver change confirmed after the pit exit makes one stop', () => {
  const visit = { startedAt: 400_000, stoppedAt: 410_000, leftAt: 460_000, endedAt: 470_000 }
  const phone = { sessionId: 's1', startedAt: 0, endedAt: null, starterId: 'ana' }
  const seen = { ...phone, visits: [visit], leftPitsAt: [470_000], drives: [] }
  const runs = [{ sessionId: 's1', from: 0, until: null, decidedBy: 'moved' as const }]
  const laps = [
    ...lapsOf([lapMs, lapMs, lapMs]),
    { startedAt: 300_000, timeMs: 105_000, kind: 'in' as const, isSeen: true, yellow: false },
    { startedAt: 405_000, timeMs: 160_000, kind: 'out' as const, isSeen: true, yellow: false },
    { startedAt: 565_000, timeMs: lapMs, kind: 'full' as const, isSeen: true, yellow: false },
  ]
  const twice: RaceRules = { ...noRules, stops: { kind: 'count', count: 2 } }
  const figures = (confirmedAt: number) => {
    const entered = { id: 'x', sessionId: 's1', driverId: 'leo', from: confirmedAt }
    const entries = [{ ...entered, removedAt: null, byHand: false }]
    const stints = stintSequence({ runs, phones: [seen], entries, fillsAt: [] })
    const length = { in: 'time', ms: 1_100_000 } as const
    const car = carIn({ length, rules: twice }, { laps, visits: [visit], stints })
    const { mandatoryStops } = carStrategy(car, 680_000)
    const laid = carPlan(car, 680_000)
    const sheet = laid && planSheet(car, laid)
    return {
      mandatoryStops,
      made: sheet?.visits.map(({ after }) => after),
      laps: sheet?.stints.slice(0, 2).map(({ drivenLaps }) => drivenLaps),
      times: [...stintTimes(car, 680_000).values()],
    }
  }
  const inStop = figures(440_000)
  expect(inStop).toMatchObject({ mandatoryStops: 1, made: [1], times: [400_000, 210_000] })
  for (const late of [475_000, 670_000]) expect(figures(late)).toEqual(inStop)
})
