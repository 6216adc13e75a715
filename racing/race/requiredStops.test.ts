import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import type { CarRace } from './carRace.ts'
import { carStrategy } from './carStrategy.ts'

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

test('a required stop is called for in time, also if each lap is as slow as the slowest', () => {
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
