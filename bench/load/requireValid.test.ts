import { expect, test } from 'vitest'
import { requireFigures } from '../figures.ts'
import type { Measured } from './orders.ts'
import { racedIn } from './raced.ts'
import { requireValid } from './requireValid.ts'

const sound: Measured = {
  seconds: 2,
  fixes: 20,
  deliveries: 20_000,
  serverCpuS: 0.2,
  serverUserS: 0.1,
  serverSystemS: 0.1,
  generatorCpuS: 0.2,
  p50Ms: 5,
  p99Ms: 12,
  lapEvents: 3,
  pitEvents: 2,
  lost: 0,
  whyLost: '',
}

test('a measurement with deliveries on open connections is returned unchanged', () => {
  expect(requireValid(sound)).toBe(sound)
})

test.each([
  ['closed connections', { lost: 45, whyLost: '4002' }, 'closed 45 connections: 4002'],
  ['no fixes', { fixes: 0 }, 'No fix was sent'],
  ['no deliveries', { deliveries: 0 }, 'No fix was delivered'],
  ['a latency of nothing', { p99Ms: Number.NaN }, 'p99Ms is NaN'],
  ['an endless ratio', { serverCpuS: Number.POSITIVE_INFINITY }, 'serverCpuS is Infinity'],
])('a measurement with %s fails', (_what, part, why) => {
  expect(() => requireValid({ ...sound, ...part })).toThrow(why)
})

test('a bench without figures, or with one that is not a number, fails', () => {
  expect(requireFigures({ p50Ms: 1, note: 'fine' })).toEqual({ p50Ms: 1, note: 'fine' })
  expect(() => requireFigures({})).toThrow('measured nothing')
  expect(() => requireFigures({ p50Ms: 1, p99Ms: Number.NaN })).toThrow('p99Ms is NaN')
})

test('the events of the races are returned as figures', () => {
  expect(racedIn({ pushes: () => 5 }, sound, 'steady ')).toEqual({
    'steady LapEvents': 3,
    'steady PitEvents': 2,
    'steady Pushes': 5,
  })
})

test.each([
  ['laps', { ...sound, lapEvents: 0 }, 5, 'no LapEvents'],
  ['visits to the pits', { ...sound, pitEvents: 0 }, 5, 'no PitEvents'],
  ['notifications', sound, 0, 'no Pushes'],
  ['measurements', undefined, 5, 'no LapEvents'],
])('a bench of races without %s fails', (_what, measured, pushes, why) => {
  expect(() => racedIn({ pushes: () => pushes }, measured)).toThrow(why)
})
