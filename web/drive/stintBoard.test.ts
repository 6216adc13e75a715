import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { stintBoard } from './stintBoard.ts'

const nothing: CarStrategy = {
  fuel: null,
  lacksLitres: false,
  lapsToPit: null,
  limitLeftMs: null,
  pitReason: null,
  isOverLimit: false,
  mandatoryStops: 0,
  finishShortL: 0,
  toGo: null,
  window: null,
  pitLoss: null,
  asksDriver: false,
  stint: { elapsedMs: 41 * minuteMs + 12_000, leftMs: null, allowanceMs: null },
}
const pitIn = (laps: number) => stintBoard({ ...nothing, lapsToPit: laps })?.pitIn

test('laps to pit turn white one lap before, and become PIT NOW', () => {
  expect(pitIn(24)).toEqual({
    isSoon: false,
    word: 'PIT IN',
    left: '24',
    unit: null,
    about: 'laps',
  })
  expect(pitIn(2)).toEqual({ isSoon: false, word: 'PIT IN', left: '2', unit: null, about: 'laps' })
  expect(pitIn(1)).toEqual({
    isSoon: true,
    word: 'PIT IN',
    left: '1',
    unit: null,
    about: 'next lap',
  })
  expect(pitIn(0)).toEqual({
    isSoon: true,
    word: 'PIT NOW',
    left: null,
    unit: null,
    about: 'this lap',
  })
})

test('PIT NOW waits for the last possible lap of a stop that the plan proposes', () => {
  const open = { ...nothing, pitReason: 'plan', window: { from: 0, to: 3 } } as const
  const shown = (lapsToPit: number) => stintBoard({ ...open, lapsToPit })?.pitIn
  expect(shown(1)).toMatchObject({ word: 'PIT IN', left: '1', about: 'next lap, plan' })
  expect(shown(0)).toMatchObject({ word: 'PIT IN', left: null, about: 'this lap, plan' })
})

test('minutes have their unit beside the number', () => {
  const plan = { ...nothing, limitLeftMs: 4.5 * minuteMs, pitReason: 'plan' } as const
  expect(stintBoard(plan)?.pitIn).toMatchObject({ left: '4', unit: 'min', about: 'plan' })
})

test('without a plan, and from 100 laps on, the race clock is in place of PIT IN', () => {
  const race = { label: 'To go', value: '1:23:04' }
  expect(stintBoard(nothing, race)).toMatchObject({ pitIn: null, race, unknown: null })
  expect(pitIn(100)).toBeNull()
  expect(pitIn(99)?.left).toBe('99')
  const lacking = stintBoard({ ...nothing, lacksLitres: true, lapsToPit: 24 }, race)
  expect(lacking).toMatchObject({ pitIn: null, race, unknown: 'Pit in: no litres' })
})

test('without a race the slot of the next stop says that the litres are missing', () => {
  const lacking = { ...nothing, lacksLitres: true, lapsToPit: 24 }
  const unknown = { isSoon: false, word: 'PIT IN', left: '--', unit: null, about: 'no litres' }
  expect(stintBoard(lacking)?.pitIn).toEqual(unknown)
  expect(stintBoard(nothing)?.pitIn).toBeNull()
  const finishing = { ...nothing, toGo: { laps: 132, stops: 0 } }
  expect(stintBoard(finishing)?.pitIn).toBeNull()
})

test('a car that needs no stop sees the laps to the finish, and what it must save', () => {
  const finishing = { ...nothing, toGo: { laps: 5, stops: 0 } }
  const slot = (values: Partial<CarStrategy>) => stintBoard({ ...finishing, ...values })?.pitIn
  const toGo = { isSoon: false, word: 'TO GO', left: '5', unit: null, about: 'laps, no stop' }
  const fuel = { leftL: 20 } as CarStrategy['fuel']
  expect(slot({ fuel })).toEqual(toGo)
  expect(slot({})?.about).toBe('laps')
  expect(slot({ finishShortL: 0.4 })?.about).toBe('laps, save 1 L')
  expect(slot({ fuel, isOverLimit: true })?.about).toBe('laps, no stop')
  expect(slot({ fuel, toGo: { laps: 1, stops: 0 } })?.about).toBe('lap, no stop')
  const late = { fuel, toGo: { laps: 1, stops: 0 }, mandatoryStops: 1 }
  expect(slot(late)?.about).toBe('lap, 1 stop missing')
  expect(slot({ fuel, toGo: { laps: 132, stops: 0 } })).toBeNull()
})

test('before the clock of the race is started only a stop for fuel is due', () => {
  const stop = { word: 'PIT IN', isSoon: false }
  const waiting = (values: Partial<CarStrategy>) =>
    stintBoard({ ...nothing, ...values }, null, 'waiting')?.pitIn
  for (const lapsToPit of [0, 1]) {
    expect(waiting({ lapsToPit })).toMatchObject(stop)
    expect(waiting({ lapsToPit, pitReason: 'stint' })).toMatchObject(stop)
    expect(waiting({ lapsToPit, pitReason: 'fuel' })?.isSoon).toBe(true)
  }
  expect(waiting({ lapsToPit: 0, pitReason: 'fuel' })?.word).toBe('PIT NOW')
})

test('after the race there is no stop', () => {
  const race = { label: 'Race over', value: '6:00:00' }
  expect(stintBoard({ ...nothing, lapsToPit: 2 }, race, 'over')).toMatchObject({
    pitIn: { word: 'FINISH', left: null, isSoon: false },
    race: null,
  })
})

test('the stint has a rest and a bar only with a limit', () => {
  expect(stintBoard(nothing)?.stint).toEqual({ time: '41:12', left: null, percent: null })
  const leftMs = 28 * minuteMs + 48_000
  const stint = { elapsedMs: 41 * minuteMs + 12_000, leftMs, allowanceMs: null }
  expect(stintBoard({ ...nothing, stint })?.stint).toEqual({
    time: '41:12',
    left: { time: '28:48', word: 'left', short: { figure: '28:48', text: 'left' } },
    percent: 59,
  })
  expect(stintBoard({ ...nothing, stint: { ...stint, leftMs: -130_000 } })?.stint).toMatchObject({
    left: { time: '2:10', word: 'over', short: { figure: '2:10', text: 'over' } },
    percent: 100,
  })
  const hours = stintBoard({ ...nothing, stint: { ...stint, leftMs: 89.9 * minuteMs } })
  expect(hours?.stint.left).toMatchObject({
    time: '1:29:54',
    short: { figure: '89', text: 'min left' },
  })
})

test("the driver's limit is shown when it comes before that of the stint", () => {
  const stint = { elapsedMs: 10 * minuteMs, leftMs: 50 * minuteMs, allowanceMs: 30 * minuteMs }
  const shown = (values: { leftMs?: number | null }) =>
    stintBoard({ ...nothing, stint: { ...stint, ...values } })?.stint
  expect(shown({})).toMatchObject({ left: { time: '30:00', word: 'left for you' }, percent: 25 })
  expect(shown({ leftMs: null })?.left?.time).toBe('30:00')
  expect(shown({ leftMs: 20 * minuteMs })?.left).toMatchObject({ time: '20:00', word: 'left' })
})

test('where laps are not timed the next limit is in minutes', () => {
  const limit = (leftMs: number) => stintBoard({ ...nothing, limitLeftMs: leftMs })?.minutes
  expect(limit(24 * minuteMs + 59_000)).toBe('24 min')
  expect(limit(59_000)).toBe('now')
  expect(limit(-5000)).toBe('now')
  expect(stintBoard(nothing)?.minutes).toBeNull()
})
