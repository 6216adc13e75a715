import { expect, test } from 'vitest'
import { hourMs } from '#contract/shared/durations.ts'
import { countedMs, type RaceTimes, raceClock } from './raceClock.ts'

const race: RaceTimes = { lengthMs: 24 * hourMs, startedAt: 1000, pauses: [], endedAt: null }

test('a race that has not started shows its whole length', () => {
  const clock = raceClock({ ...race, startedAt: null }, 5000)
  expect(clock).toEqual({ state: 'prepared', elapsedMs: 0, leftMs: 24 * hourMs })
})

test('a race that ended without a start is over', () => {
  const clock = raceClock({ ...race, startedAt: null, endedAt: 5000 }, 9000)
  expect(clock).toMatchObject({ state: 'over', elapsedMs: 0 })
})

test('the clock counts from the start, and stays at 0 after the length of the race', () => {
  expect(raceClock(race, 61_000)).toMatchObject({ state: 'running', elapsedMs: 60_000 })
  expect(raceClock(race, 61_000).leftMs).toBe(24 * hourMs - 60_000)
  expect(raceClock(race, 25 * hourMs).leftMs).toBe(0)
})

test('a race of laps has no time left', () => {
  expect(raceClock({ ...race, lengthMs: null }, 61_000)).toMatchObject({ leftMs: null })
})

test('a paused clock stops, and continues at the same time', () => {
  const paused = { ...race, pauses: [{ from: 11_000, to: null }] }
  expect(raceClock(paused, 90_000)).toMatchObject({ state: 'paused', elapsedMs: 10_000 })
  const resumed = { ...race, pauses: [{ from: 11_000, to: 91_000 }] }
  expect(raceClock(resumed, 92_000)).toMatchObject({ state: 'running', elapsedMs: 11_000 })
})

test('a start that is corrected to a later time ignores a pause before it', () => {
  const pauses = [
    { from: 11_000, to: 21_000 },
    { from: 41_000, to: 51_000 },
  ]
  expect(raceClock({ ...race, startedAt: 31_000, pauses }, 61_000).elapsedMs).toBe(20_000)
})

test('a race that is over keeps its time, also if the clock was paused at its end', () => {
  const over = { ...race, pauses: [{ from: 11_000, to: null }], endedAt: 21_000 }
  expect(raceClock(over, 90_000)).toMatchObject({ state: 'over', elapsedMs: 10_000 })
})

test('only race time is counted, and all time without a race', () => {
  const paused = { ...race, pauses: [{ from: 11_000, to: 21_000 }], endedAt: 41_000 }
  expect(countedMs(paused, 0, 90_000)).toBe(30_000)
  expect(countedMs(paused, 12_000, 20_000)).toBe(0)
  expect(countedMs(null, 12_000, 20_000)).toBe(8000)
})
