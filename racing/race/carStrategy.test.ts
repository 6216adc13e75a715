import { expect, test } from 'vitest'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { seeded } from '#testing/drives.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { type CarEntries, carPlan } from './carPlan.ts'
import { carStrategy } from './carStrategy.ts'
import { recentPlan } from './recentPlan.ts'

const minuteMs = 60_000
const lapMs = 100_000
const noPlan = { driverIds: [], stopMs: 0, lapMs: null, stints: [] }

/** Green laps from the start of the race on, up to a moment. */
function lapsUntil(untilMs: number, yellow: readonly number[] = []): DrivenLap[] {
  return Array.from({ length: Math.floor(untilMs / lapMs) }, (_, index) => ({
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: 'full',
    isSeen: true,
    yellow: yellow.includes(index),
  }))
}

function entries(rules: Partial<RaceRules>, values: Partial<CarEntries> = {}): CarEntries {
  return {
    car: null,
    stints: [{ driverId: null, from: 0, to: null }],
    fills: [],
    race: {
      length: { in: 'time', ms: 120 * minuteMs },
      rules: { ...noRules, ...rules },
      startedAt: 0,
      pauses: [],
      endedAt: null,
    },
    plan: noPlan,
    drivers: [
      { id: 'theo', archived: false },
      { id: 'noor', archived: false },
    ],
    ...values,
  }
}

/** Laps to pit after ten laps. */
const nowMs = 10 * lapMs
const lapsToPit = (given: CarEntries, laps = lapsUntil(nowMs)) =>
  carStrategy(given, laps, nowMs).lapsToPit

test('the planned end of the stint is a limit', () => {
  // Three stints of 40 minutes: 1,400 s are left, and this lap takes 100 s of them.
  const stops = { kind: 'count', count: 2 } as const
  expect(lapsToPit(entries({ stops }))).toBe(13)
  const moved = { ...noPlan, stints: [{ number: 1, driverId: null, lengthMs: 30 * minuteMs }] }
  expect(lapsToPit(entries({}, { plan: moved }))).toBe(7)
  expect(lapsToPit(entries({}, { plan: noPlan }))).toBeNull()
})

test('required stops count until they are made', () => {
  const stops = { kind: 'count', count: 2 } as const
  const stints = [
    { driverId: 'theo', from: 0, to: 5 * lapMs },
    { driverId: 'noor', from: 5 * lapMs, to: null },
  ]
  expect(carStrategy(entries({ stops }), lapsUntil(nowMs), nowMs).toGo?.stops).toBe(2)
  expect(carStrategy(entries({ stops }, { stints }), lapsUntil(nowMs), nowMs).toGo?.stops).toBe(1)
})

test('the person who started the session is their driver of the roster', () => {
  const stints = [
    { driverId: 'theo', from: 0, to: 4 * lapMs },
    { driverId: null, from: 4 * lapMs, to: null },
  ]
  const allowanceMs = (starterId: string | null) =>
    carStrategy(entries({ maxDriverMs: 60 * minuteMs }, { stints, starterId }), [], nowMs).stint
      ?.allowanceMs
  expect(allowanceMs('theo')).toBe(60 * minuteMs - 10 * lapMs)
  expect(allowanceMs(null)).toBe(60 * minuteMs - 6 * lapMs)
})

test('stints in other sessions of the race count for the driver', () => {
  const other = { driverId: 'theo', from: -50 * minuteMs, to: -40 * minuteMs, isSameCar: false }
  const race = { ...entries({}).race!, startedAt: -60 * minuteMs }
  const rules = { ...noRules, maxDriverMs: 60 * minuteMs }
  const given = entries({}, { starterId: 'theo', otherStints: [other], race: { ...race, rules } })
  expect(carStrategy(given, [], nowMs).stint?.allowanceMs).toBe(50 * minuteMs - 10 * lapMs)
  expect(carPlan(given, [], nowMs)?.request.otherMs).toEqual(new Map([['theo', 10 * minuteMs]]))
})

/** Theo has driven an hour in an earlier session. Then a phone was swapped within a minute. */
const swapped = {
  stints: [{ driverId: 'theo', from: 61 * minuteMs, to: null, continues: true }],
  otherStints: [
    { driverId: 'theo', from: 0, to: 60 * minuteMs, isSameCar: true, hadYellow: false },
  ],
} as const

/** Laps of the session that began then. The first one is the rest of a lap. */
const lapsSince = lapsUntil(69 * minuteMs)
  .filter(({ startedAt }) => startedAt >= 61 * minuteMs)
  .map((lap, index) => ({ ...lap, kind: index === 0 ? ('out' as const) : lap.kind }))

test('a driver who drives on with another phone drives one stint', () => {
  const rules = { maxStintMs: 70 * minuteMs, stops: { kind: 'count', count: 7 } as const }
  const length = { in: 'time', ms: 360 * minuteMs } as const
  const given = entries(rules, swapped)
  const figures = carStrategy(
    { ...given, race: { ...given.race!, length } },
    lapsSince,
    69 * minuteMs,
  )
  expect(figures.stint).toMatchObject({ elapsedMs: 69 * minuteMs, leftMs: minuteMs })
  expect(figures.toGo?.stops).toBe(7)
})

test('a stop between two sessions ends the stint and counts', () => {
  const rules = { maxStintMs: 70 * minuteMs, stops: { kind: 'count', count: 7 } as const }
  const length = { in: 'time', ms: 360 * minuteMs } as const
  const stints = [{ ...swapped.stints[0], continues: undefined }]
  const given = entries(rules, { ...swapped, stints })
  const figures = carStrategy(
    { ...given, race: { ...given.race!, length } },
    lapsSince,
    69 * minuteMs,
  )
  expect(figures.stint?.leftMs).toBe(62 * minuteMs)
  expect(figures.toGo?.stops).toBe(6)
})

test('a yellow lap of the earlier session prolongs the stint', () => {
  const rules = { maxStintMs: 70 * minuteMs, yellowExtraMs: 5 * minuteMs }
  const otherStints = [{ ...swapped.otherStints[0], hadYellow: true }]
  const given = entries(rules, { ...swapped, otherStints })
  expect(carStrategy(given, [], 69 * minuteMs).stint?.leftMs).toBe(6 * minuteMs)
})

test('laps of earlier sessions count in a race over laps', () => {
  const race = { ...entries({}).race!, length: { in: 'laps', laps: 100 } as const }
  const given = entries({}, { ...swapped, race, earlierLaps: 36 })
  // The first crossing of the line completes the lap in which the phone was swapped.
  expect(lapsSince).toHaveLength(4)
  expect(carStrategy(given, lapsSince, 69 * minuteMs).toGo?.laps).toBe(60)
})

test('laps between a phone that failed and this one count', () => {
  const race = { ...entries({}).race!, length: { in: 'laps', laps: 100 } as const }
  const car = { tankL: 100, reserveL: 3, burnL: 1.87 }
  const given = entries({}, { ...swapped, car, race, earlierLaps: 36 })
  const [out] = lapsSince
  const crossedAt = out!.startedAt + out!.timeMs - 7 * lapMs
  const earlierEnd = { crossedAt, lapMs, isCertain: true }
  const at = 69 * minuteMs
  const figures = (end?: typeof earlierEnd) => {
    const { toGo, fuel } = carStrategy({ ...given, earlierEnd: end }, lapsSince, at)
    return { laps: toGo?.laps, burntL: 100 - (fuel?.leftL ?? 0) }
  }
  const lapsL = (laps: number) => expect.closeTo(laps * 1.87, 6)
  expect(figures(earlierEnd)).toEqual({ laps: 60 - 6, burntL: lapsL(4 + 6) })
  expect(figures({ ...earlierEnd, isCertain: false })).toEqual({ laps: 60, burntL: lapsL(4 + 6) })
  expect(figures()).toEqual({ laps: 60, burntL: lapsL(4) })
})

test('a driver without a rest has a limit as well', () => {
  const inARow = { maxMs: 30 * minuteMs, restMs: 20 * minuteMs }
  const stints = [
    { driverId: 'theo', from: 0, to: 3 * lapMs },
    { driverId: 'noor', from: 3 * lapMs, to: 5 * lapMs },
    { driverId: 'theo', from: 5 * lapMs, to: null },
  ]
  const { limitLeftMs } = carStrategy(entries({ inARow }, { stints }), [], nowMs)
  expect(limitLeftMs).toBeLessThanOrEqual(30 * minuteMs - 8 * lapMs)
})

test('a yellow lap prolongs the stint where the series allows it', () => {
  const rules = { maxStintMs: 20 * minuteMs, yellowExtraMs: 5 * minuteMs }
  const leftMs = (yellow: number[]) =>
    carStrategy(entries(rules, { plan: null }), lapsUntil(nowMs, yellow), nowMs).stint?.leftMs
  expect(leftMs([])).toBe(20 * minuteMs - nowMs)
  expect(leftMs([2])).toBe(25 * minuteMs - nowMs)
})

test('a plan is laid out again every 5 s, before the start every minute', () => {
  const running = entries({})
  const planAt = (given: CarEntries, atMs: number) => recentPlan(given, [], atMs)
  expect(planAt(running, 4999)).toBe(planAt(running, 0))
  expect(planAt(running, 5000)).not.toBe(planAt(running, 0))
  // At once if the laps since an earlier session become known.
  const earlierEnd = { crossedAt: 0, lapMs, isCertain: true }
  expect(planAt({ ...running, earlierEnd }, 0)).not.toBe(planAt(running, 0))
  const race = { ...running.race!, startedAt: null }
  const waiting = entries({}, { race })
  expect(planAt(waiting, 59_999)).toBe(planAt(waiting, 0))
  expect(planAt(waiting, 60_000)).not.toBe(planAt(waiting, 0))
})

test('in random races no limit is exceeded when the car pits in time', () => {
  const random = seeded(11)
  const between = (least: number, most: number) => least + (most - least) * random()
  let limited = 0
  for (let race = 0; race < 100; race++) {
    const minutes = (least: number, most: number) => Math.round(between(least, most)) * minuteMs
    const maxStintMs = random() < 0.6 ? minutes(15, 60) : null
    const maxDriverMs = random() < 0.6 ? minutes(20, 90) : null
    const inARow = random() < 0.4 ? { maxMs: minutes(15, 60), restMs: minutes(5, 30) } : null
    const count = Math.floor(between(0, 4))
    const stops = count > 0 ? ({ kind: 'count', count } as const) : null
    const startMs = Math.round(between(0, 30)) * 10_000
    const given = entries({ maxStintMs, maxDriverMs, inARow, stops }, { starterId: 'theo' })
    const found = lapsToPit({ ...given, race: { ...given.race!, startedAt: startMs } })
    if (found === null || found === 0) continue
    limited++
    // The car is at the line: this lap and the reported ones are complete.
    const endMs = nowMs + (found + 1) * lapMs - startMs
    for (const most of [maxStintMs, maxDriverMs, inARow?.maxMs])
      expect(endMs).toBeLessThanOrEqual(most ?? endMs)
  }
  expect(limited).toBeGreaterThan(50)
})
