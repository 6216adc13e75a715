import { expect, test } from 'vitest'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { lapsToPitFigure } from './lapsToPitFigure.ts'

const nothing = {
  fuel: null,
  lacksLitres: false,
  asksDriver: false,
  lapsToPit: null,
  limitLeftMs: null,
  toGo: null,
  window: null,
  pitLoss: null,
  stint: null,
  mandatoryStops: 0,
  finishShortL: 0,
  pitReason: null,
  isOverLimit: false,
}

test('laps to pit have their unit and the reason', () => {
  const fuel = { ...nothing, lapsToPit: 24, pitReason: 'fuel' } as const
  expect(lapsToPitFigure(fuel)).toMatchObject({
    value: '24',
    unit: 'laps',
    reason: 'fuel',
    isSoon: false,
  })
  expect(lapsToPitFigure({ ...fuel, lapsToPit: 1 })).toMatchObject({
    value: 'next',
    unit: 'lap',
    isSoon: true,
  })
  expect(lapsToPitFigure({ ...fuel, lapsToPit: 0 })).toMatchObject({ value: 'this', unit: 'lap' })
})

test('laps to pit by the fuel of an assumed full tank name the assumption', () => {
  const fuel = { isAssumed: true } as NonNullable<CarStrategy['fuel']>
  const shown = (values: object) => lapsToPitFigure({ ...nothing, fuel, ...values }).reason
  for (const lapsToPit of [24, 0])
    expect(shown({ lapsToPit, pitReason: 'fuel' })).toBe('fuel, assumed')
  expect(shown({ lapsToPit: 24, pitReason: 'stint' })).toBe('stint')
  const entered = { fuel: { ...fuel, isAssumed: false }, lapsToPit: 24, pitReason: 'fuel' }
  expect(shown(entered)).toBe('fuel')
})

test('a stop that the plan proposes is now only in the last possible lap', () => {
  const plan = { ...nothing, pitReason: 'plan' } as const
  const open = { ...plan, window: { from: 0, to: 3 } }
  const shown = (lapsToPit: number, values: object = open) =>
    lapsToPitFigure({ ...open, ...values, lapsToPit })
  expect(shown(2)).toMatchObject({ value: '2', isSoon: false })
  expect(shown(1)).toMatchObject({ value: 'next', unit: 'lap', isSoon: true, isNow: false })
  expect(shown(0)).toMatchObject({ value: 'this', unit: 'lap', isSoon: true, isNow: false })
  expect(shown(0, { window: { from: 0, to: 1 } })).toMatchObject({ value: 'this', isNow: false })
  expect(shown(0, { window: { from: 0, to: 0 } })).toMatchObject({ value: 'this', isNow: true })
  expect(shown(0, { lacksLitres: true, window: null })).toMatchObject({ isNow: false })
  // A limit leaves no choice.
  expect(shown(0, { pitReason: 'fuel' })).toMatchObject({ value: 'this', isNow: true })
})

test('minutes are shown until a lap time is known, unless the car reaches the finish', () => {
  const plan = { ...nothing, limitLeftMs: 2_699_000, pitReason: 'plan' } as const
  expect(lapsToPitFigure(plan)).toMatchObject({ value: '44', unit: 'min', reason: 'plan' })
  expect(lapsToPitFigure({ ...plan, limitLeftMs: 59_000 })).toMatchObject({
    value: 'now',
    isNow: true,
  })
  const toGo = { laps: 3, stops: 0, litres: null }
  const finishing = { ...plan, toGo: toGo as never }
  expect(lapsToPitFigure(finishing)).toMatchObject({ value: '--', reason: 'no stop' })
  const late = { ...finishing, isOverLimit: true }
  expect(lapsToPitFigure(late)).toMatchObject({ value: '--', reason: 'over limit' })
  const short = { ...finishing, finishShortL: 0.4 }
  expect(lapsToPitFigure(short)).toMatchObject({
    value: '--',
    reason: 'save 1 L to finish',
    isToEnd: true,
  })
})

test('without the litres of the last stop only a limit that comes at once is shown', () => {
  const plan = { ...nothing, lacksLitres: true, lapsToPit: 24, pitReason: 'plan' } as const
  expect(lapsToPitFigure(plan)).toMatchObject({ value: '--', unit: null, reason: 'no litres' })
  expect(lapsToPitFigure({ ...plan, lapsToPit: 1 })).toMatchObject({
    value: 'next',
    reason: 'plan',
  })
  expect(lapsToPitFigure({ ...plan, lapsToPit: null })).toMatchObject({ reason: 'no litres' })
})

test('a number of laps that means nothing yet is not shown', () => {
  expect(lapsToPitFigure({ ...nothing, lapsToPit: 100 })).toMatchObject({ value: '--', unit: null })
  expect(lapsToPitFigure(nothing)).toMatchObject({ value: '--' })
})

test('a required stop is named as missing unless a limit comes first', () => {
  const toGo = (laps: number, stops: number) => ({ laps, stops })
  const missing = { ...nothing, mandatoryStops: 1 }
  const due = { ...missing, lapsToPit: 3, pitReason: 'stops', toGo: toGo(5, 1) } as const
  expect(lapsToPitFigure(due)).toMatchObject({ value: '3', reason: '1 stop missing' })
  expect(lapsToPitFigure({ ...due, mandatoryStops: 2 }).reason).toBe('2 stops missing')
  // Too late, and where laps are not timed.
  expect(lapsToPitFigure({ ...missing, toGo: toGo(1, 0) })).toMatchObject({
    value: '--',
    reason: '1 stop missing',
    isToEnd: true,
  })
  expect(lapsToPitFigure(missing)).toMatchObject({ value: '--', reason: '1 stop missing' })
})

test('in the last lap no litres are missing', () => {
  const lacking = { ...nothing, lacksLitres: true, toGo: { laps: 1, stops: 0 } }
  expect(lapsToPitFigure(lacking)).toMatchObject({ reason: 'last lap', isToEnd: true })
})
