import { describe, expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { seeded } from '#testing/drives.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { carPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { carStrategy, stintLapsLeft } from './carStrategy.ts'
import { planSheet } from './planSheet.ts'
import { recentPlan } from './recentPlan.ts'

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

type Given = NonNullable<Parameters<typeof drivenCar>[0]>

function carIn(
  rules: Partial<RaceRules>,
  {
    race = {},
    ...values
  }: Omit<Given, 'race'> & { race?: Partial<NonNullable<CarRace['race']>> } = {},
): CarRace {
  return drivenCar({
    race: {
      length: { in: 'time', ms: 120 * minuteMs },
      rules: { ...noRules, ...rules },
      startedAt: 0,
      pauses: [],
      endedAt: null,
      ...race,
    },
    plan: noPlan,
    drivers: [
      { id: 'theo', archived: false },
      { id: 'noor', archived: false },
    ],
    ...values,
  })
}

/** Laps to pit after ten laps. */
const nowMs = 10 * lapMs
const lapsToPit = (rules: Partial<RaceRules>, values: Parameters<typeof carIn>[1] = {}) =>
  carStrategy(carIn(rules, { laps: lapsUntil(nowMs), ...values }), nowMs).lapsToPit

test('the planned end of the stint is a limit', () => {
  // Three stints of 40 minutes: 1,400 s are left, and this lap takes 100 s of them.
  const stops = { kind: 'count', count: 2 } as const
  expect(lapsToPit({ stops })).toBe(13)
  const moved = { ...noPlan, stints: [{ number: 1, driverId: null, lengthMs: 30 * minuteMs }] }
  expect(lapsToPit({}, { plan: moved })).toBe(7)
  expect(lapsToPit({}, { plan: noPlan })).toBeNull()
})

test('required stops count until they are made', () => {
  const stops = { kind: 'count', count: 2 } as const
  const stints = [
    { driverId: 'theo', from: 0, to: 5 * lapMs },
    { driverId: 'noor', from: 5 * lapMs, to: null },
  ]
  const laps = lapsUntil(nowMs)
  expect(carStrategy(carIn({ stops }, { laps }), nowMs).toGo?.stops).toBe(2)
  expect(carStrategy(carIn({ stops }, { laps, stints }), nowMs).toGo?.stops).toBe(1)
})

test('a stop without a driver change is made as well', () => {
  const stops = { kind: 'count', count: 3 } as const
  const stopAt = (startedAt: number) => ({
    startedAt,
    endedAt: startedAt + 60_000,
    stoppedAt: startedAt + 10_000,
    leftAt: startedAt + 50_000,
  })
  const left = (visits: CarRace['visits'], changes: readonly number[] = []) => {
    const stints = [0, ...changes].map((from, index) => ({
      driverId: index % 2 === 0 ? 'theo' : 'noor',
      from,
      to: changes[index] ?? null,
    }))
    const car = carIn({ stops }, { laps: lapsUntil(nowMs), visits, stints })
    const plan = carPlan(car, nowMs)?.plan
    expect(plan?.broken).toEqual([])
    const next = plan?.stints.filter(({ state }) => state === 'next').length
    expect(next).toBe(carStrategy(car, nowMs).toGo?.stops)
    return next
  }
  expect(left([stopAt(200_000), stopAt(500_000)])).toBe(1)
  // The driver change of the second one is the same stop.
  expect(left([stopAt(200_000), stopAt(500_000)], [530_000])).toBe(1)
  const driveThrough = { ...stopAt(700_000), stoppedAt: null, leftAt: null }
  const now = { ...stopAt(990_000), endedAt: null, leftAt: null }
  expect(left([driveThrough, now])).toBe(3)
  expect(left([stopAt(-300_000)])).toBe(3)
})

test('after a stop without a driver change the rest of the race is divided again', () => {
  // Three stints of 40 minutes. In the stop at the end of the first one the driver stays.
  const stops = { kind: 'count', count: 2 } as const
  const at = 45 * minuteMs
  const stop = {
    startedAt: 40 * minuteMs,
    endedAt: 42 * minuteMs,
    stoppedAt: 40.5 * minuteMs,
    leftAt: 41.5 * minuteMs,
  }
  const given = {
    laps: lapsUntil(at),
    visits: [stop],
    stints: [{ driverId: 'theo', from: 0, to: null }],
  }
  const stintsOf = (rules: Partial<RaceRules>, values: Parameters<typeof carIn>[1] = {}) => {
    const car = carIn(rules, { ...given, ...values })
    const { plan } = carPlan(car, at)!
    return { ends: plan.stints.map(({ toMs }) => toMs / minuteMs), car, plan }
  }
  const { ends, car, plan } = stintsOf({ stops })
  expect(plan.broken).toEqual([])
  expect(ends).toEqual([42 + 39, 120])
  expect(carStrategy(car, at).lapsToPit).toBeGreaterThan(10)
  // A length by hand was meant for that stop, unless it was made early.
  const byHand = (lengthMs: number) => ({
    ...noPlan,
    stints: [{ number: 1, driverId: null, lengthMs }],
  })
  expect(stintsOf({ stops }, { plan: byHand(40 * minuteMs) }).ends).toEqual([42 + 39, 120])
  expect(stintsOf({ stops }, { plan: byHand(90 * minuteMs) }).ends).toEqual([90, 120])
  // The limits of the driver go on.
  expect(stintsOf({ maxStintMs: 60 * minuteMs }).ends).toEqual([60, 120])
  const driver = stintsOf({ stops, maxDriverMs: 70 * minuteMs })
  expect(driver.ends).toEqual([70, 120])
  expect(driver.plan.broken).toEqual([])
})

test('stints in other cars of the race count for the driver', () => {
  const given = carIn(
    { maxDriverMs: 60 * minuteMs },
    {
      stints: [{ driverId: 'theo', from: 0, to: null }],
      otherCars: [{ driverId: 'theo', from: -50 * minuteMs, to: -40 * minuteMs }],
      race: { startedAt: -60 * minuteMs },
    },
  )
  expect(carStrategy(given, nowMs).stint?.allowanceMs).toBe(50 * minuteMs - 10 * lapMs)
  expect(carPlan(given, nowMs)?.request.otherMs).toEqual(new Map([['theo', 10 * minuteMs]]))
})

test('two people who are not in the roster are two drivers', () => {
  const stints = [
    { sessionId: 's1', driverId: null, from: 0, to: 4 * lapMs },
    { sessionId: 's2', driverId: null, from: 4 * lapMs, to: null },
  ]
  const { stint } = carStrategy(carIn({ maxDriverMs: 60 * minuteMs }, { stints }), nowMs)
  expect(stint?.allowanceMs).toBe(60 * minuteMs - 6 * lapMs)
})

test('a driver without a rest has a limit as well', () => {
  const inARow = { maxMs: 30 * minuteMs, restMs: 20 * minuteMs }
  const stints = [
    { driverId: 'theo', from: 0, to: 3 * lapMs },
    { driverId: 'noor', from: 3 * lapMs, to: 5 * lapMs },
    { driverId: 'theo', from: 5 * lapMs, to: null },
  ]
  const { limitLeftMs } = carStrategy(carIn({ inARow }, { stints }), nowMs)
  expect(limitLeftMs).toBeLessThanOrEqual(30 * minuteMs - 8 * lapMs)
})

test('a yellow lap prolongs the stint where the series allows it', () => {
  const rules = { maxStintMs: 20 * minuteMs, yellowExtraMs: 5 * minuteMs }
  const leftMs = (yellow: number[]) =>
    carStrategy(carIn(rules, { plan: null, laps: lapsUntil(nowMs, yellow) }), nowMs).stint?.leftMs
  expect(leftMs([])).toBe(20 * minuteMs - nowMs)
  expect(leftMs([2])).toBe(25 * minuteMs - nowMs)
})

test('a plan is laid out again every 5 s, before the start every minute', () => {
  const running = carIn({})
  expect(recentPlan(running, 4999)).toBe(recentPlan(running, 0))
  expect(recentPlan(running, 5000)).not.toBe(recentPlan(running, 0))
  // At once if something has changed.
  expect(recentPlan({ ...running }, 0)).not.toBe(recentPlan(running, 0))
  const waiting = carIn({}, { race: { startedAt: null } })
  expect(recentPlan(waiting, 59_999)).toBe(recentPlan(waiting, 0))
  expect(recentPlan(waiting, 60_000)).not.toBe(recentPlan(waiting, 0))
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
    const stints = [{ driverId: 'theo', from: 0, to: null }]
    const found = lapsToPit(
      { maxStintMs, maxDriverMs, inARow, stops },
      { stints, race: { startedAt: startMs } },
    )
    if (found === null || found === 0) continue
    limited++
    // The car is at the line: this lap and the reported ones are complete.
    const endMs = nowMs + (found + 1) * lapMs - startMs
    for (const most of [maxStintMs, maxDriverMs, inARow?.maxMs])
      expect(endMs).toBeLessThanOrEqual(most ?? endMs)
  }
  expect(limited).toBeGreaterThan(50)
})

test('a car that has crossed the line at the finish has no limits, before Race over', () => {
  const race = { length: { in: 'time' as const, ms: 11 * minuteMs } }
  const values = { race, laps: lapsUntil(7 * lapMs) }
  const rules = { maxStintMs: 11 * minuteMs, maxDriverMs: 11 * minuteMs }
  const before = carStrategy(carIn(rules, { ...values, laps: lapsUntil(6 * lapMs) }), 690_000)
  expect(before.stint).toMatchObject({ elapsedMs: 690_000, leftMs: -30_000 })
  const { stint, isOverLimit, lapsToPit } = carStrategy(carIn(rules, values), 750_000)
  expect(stint).toEqual({ elapsedMs: 700_000, leftMs: null, allowanceMs: null })
  expect([isOverLimit, lapsToPit]).toEqual([false, null])
})

test('once the time is up nothing calls a car in, however long its last lap takes', () => {
  const race = { length: { in: 'time' as const, ms: 11 * minuteMs } }
  const rules = {
    maxStintMs: 5 * minuteMs,
    maxDriverMs: 6 * minuteMs,
    stops: { kind: 'count', count: 2 } as const,
  }
  const late = carIn(rules, { race, laps: lapsUntil(6 * lapMs) })
  const { lapsToPit, pitReason, toGo, stint, mandatoryStops } = carStrategy(late, 12 * minuteMs)
  expect([lapsToPit, pitReason, toGo]).toEqual([null, null, { laps: 1, stops: 0 }])
  expect(stint?.leftMs).toBe(-7 * minuteMs)
  expect(mandatoryStops).toBe(2)
})

test('after the race nothing calls the car in', () => {
  const rules = { maxStintMs: 40 * minuteMs, maxDriverMs: 60 * minuteMs }
  const laps = lapsUntil(nowMs)
  expect(carStrategy(carIn(rules, { laps }), nowMs)).toMatchObject({ pitReason: 'plan' })
  const over = carIn(rules, { laps, race: { endedAt: nowMs } })
  expect(carStrategy(over, nowMs + minuteMs)).toMatchObject({
    lapsToPit: null,
    limitLeftMs: null,
    pitReason: null,
    toGo: null,
    window: null,
  })
})

describe('in a race of 30 minutes with one stop for fuel', () => {
  const length = { in: 'time', ms: 30 * minuteMs } as const
  const plan = { ...noPlan, stopMs: 80_000, lapMs: 105_000 }
  const tank = { tankL: 18, reserveL: 2, burnL: 2 }
  const rules = { maxStintMs: 14 * minuteMs }
  const lapsOf = (count: number): DrivenLap[] =>
    Array.from({ length: count }, (_, index) => ({
      startedAt: index * 105_000,
      timeMs: 105_000,
      kind: 'full',
      isSeen: true,
      yellow: false,
    }))
  const start = { kind: 'start', at: 0, litres: 18 } as const
  const carAfter = (count: number, startedAt: number | null = 0) =>
    carIn(rules, {
      laps: lapsOf(count),
      fills: [start],
      car: tank,
      plan,
      race: { length, startedAt },
    })

  test("the figure is the plan's before the start, and stays once the pace is known", () => {
    const figures = [0, 1, 2, 3, 4].map(laps => {
      const { lapsToPit, pitReason } = carStrategy(carAfter(laps), laps * 105_000)
      return { lapsToPit, pitReason }
    })
    const before = carStrategy(carAfter(0, null), -minuteMs)
    expect([before.lapsToPit, before.pitReason]).toEqual([4, 'plan'])
    expect(figures).toEqual([4, 3, 2, 1, 0].map(lapsToPit => ({ lapsToPit, pitReason: 'plan' })))
  })

  test('a planned stop just before the end stays one', () => {
    const stints = [{ number: 1, driverId: null, lengthMs: 29.5 * minuteMs }]
    const late = { ...plan, stopMs: 10_000, stints }
    const given = { laps: lapsOf(16), plan: late, race: { length } }
    const { lapsToPit, pitReason } = carStrategy(carIn({}, given), 28.5 * minuteMs)
    expect({ lapsToPit, pitReason }).toEqual({ lapsToPit: 0, pitReason: 'plan' })
  })

  test('without lap timing the plan counts in time', () => {
    const car = carIn(rules, { fills: [start], car: tank, plan, race: { length } })
    const { lapsToPit, limitLeftMs } = carStrategy(car, 5 * minuteMs)
    const { toMs } = carPlan(car, 5 * minuteMs)!.plan.stints[0]!
    expect({ lapsToPit, limitLeftMs }).toEqual({
      lapsToPit: null,
      limitLeftMs: toMs - 5 * minuteMs,
    })
  })

  test('a car that has just stopped is not called in at once', () => {
    const at = 20.5 * minuteMs
    const visits = [
      { startedAt: at - 95_000, stoppedAt: at - 80_000, leftAt: at - 20_000, endedAt: at - 14_000 },
    ]
    const stints = [
      { driverId: 'theo', from: 0, to: at - 60_000 },
      { driverId: 'noor', from: at - 60_000, to: null },
    ]
    const fills = [start, { kind: 'part', at: at - 30_000, litres: 12 } as const]
    const car = carIn(rules, {
      laps: lapsOf(10),
      visits,
      stints,
      fills,
      car: tank,
      plan,
      race: { length },
    })
    expect(carPlan(car, at)?.plan.stints.at(-1)?.state).toBe('next')
    expect(carStrategy(car, at).lapsToPit).toBeGreaterThan(0)
  })
})

describe('in a sprint of 17 minutes whose rules allow stints of 8 minutes', () => {
  const plan = { ...noPlan, stopMs: 75_000, lapMs: 105_000 }
  const race = { length: { in: 'time', ms: 17 * minuteMs } as const }
  const carAfter = (given: Omit<Given, 'race'> & { startedAt?: number | null }) => {
    const { startedAt = 0, ...values } = given
    return carIn({ maxStintMs: 8 * minuteMs }, { plan, race: { ...race, startedAt }, ...values })
  }
  const lap = { kind: 'full', isSeen: true, yellow: false } as const
  const lapsOf = (count: number, fromMs = 0): DrivenLap[] =>
    Array.from({ length: count }, (_, index) => {
      return { ...lap, startedAt: fromMs + index * 105_000, timeMs: 105_000 }
    })

  test('plan page and wall give the first stint the same laps, in all parts of them', () => {
    const stints = [{ driverId: 'theo', from: 0, to: null }]
    for (const [count, nowMs, startedAt] of [
      [0, -5 * minuteMs, null],
      [0, 60_000, 0],
      [0, 100_000, 0],
      [1, 106_000, 0],
      [1, 175_000, 0],
      [2, 275_000, 0],
    ] as const) {
      const car = carAfter({
        laps: lapsOf(count),
        stints: startedAt === null ? [] : stints,
        startedAt,
      })
      const strategy = carStrategy(car, nowMs)
      const laid = recentPlan(car, nowMs)!
      const [first] = planSheet(car, laid, stintLapsLeft(strategy, laid)).stints
      expect(first?.laps).toBe(3)
      expect(count + (strategy.lapsToPit ?? 0) + 1).toBe(3)
    }
  })

  test('after a stop the plan leaves the choice of laps that the rules leave', () => {
    // Like the second car of two that left the pits together: 8:19 are left, so a second stop is needed.
    const outMs = 521_000
    const visits = [{ startedAt: 425_000, stoppedAt: 440_000, leftAt: 510_000, endedAt: outMs }]
    const stints = [
      { driverId: 'theo', from: 0, to: 440_000 },
      { driverId: 'noor', from: 440_000, to: null },
    ]
    const carAt = (count: number) =>
      carAfter({
        laps: [
          ...lapsOf(4),
          { ...lap, kind: 'pit', startedAt: 420_000, timeMs: 190_000 },
          ...lapsOf(count, 610_000),
        ],
        visits,
        stints,
      })
    // The limit of the stint is at 16:41: its fourth lap ends at 15:25.
    expect(carStrategy(carAt(0), 611_000)).toMatchObject({
      pitReason: 'plan',
      lapsToPit: 0,
      window: { from: 0, to: 2 },
    })
    const byHand = { ...plan, stints: [{ number: 2, driverId: null, lengthMs: 190_000 }] }
    const set = { ...carAt(0), plan: byHand }
    expect(carStrategy(set, 611_000)).toMatchObject({ lapsToPit: 0, window: { to: 0 } })
  })
})

describe('near the end of the race', () => {
  /** Seven minutes before the end, with litres since the stop 10 laps ago, at 2.4 L a lap with a reserve of 3 L. */
  const at = 113 * minuteMs
  const strategyWith = (litres: number, reserveL = 3) => {
    const fills = [
      { at: 0, litres: 24, kind: 'start' as const },
      { at: 103 * minuteMs, litres, kind: 'start' as const },
    ]
    const stints = [
      { driverId: 'theo', from: 0, to: 103 * minuteMs },
      { driverId: 'noor', from: 104 * minuteMs, to: null },
    ]
    const tank = { tankL: 45, reserveL, burnL: 2.4 }
    const car = carIn(
      {},
      { laps: lapsUntil(at), fills, stints, car: tank, plan: { ...noPlan, stopMs: minuteMs } },
    )
    const laid = carPlan(car, at)!
    const left = laid.plan.stints.filter(({ state }) => state === 'next').length
    return {
      ...carStrategy(car, at),
      left,
      fills: planSheet(car, laid).stints.map(each => each.litres),
    }
  }

  test('no stop is planned or called for that the fuel does not need', () => {
    // Six laps since the stop, and five to go: 26.4 L and the reserve, at the burn as it is expected.
    const strategy = strategyWith(32)
    // The last lap ended 80 s ago.
    expect(strategy.fuel?.leftL).toBeCloseTo(32 - 6.8 * 2.4)
    expect(strategy.toGo).toEqual({ laps: 5, stops: 0 })
    expect(strategy).toMatchObject({ left: 0, lapsToPit: null, pitReason: null })
  })

  test('fuel that suffices as expected calls for no stop, and says what may lack', () => {
    // 12 L are needed, and there are 12.4 L: a tenth more burn would lack some.
    const strategy = strategyWith(26.8, 0)
    expect(strategy).toMatchObject({ left: 0, lapsToPit: null, toGo: { laps: 5, stops: 0 } })
    expect(strategy.finishShortL).toBeGreaterThan(1)
  })

  test('fuel that a higher burn only takes from the reserve is not to be saved', () => {
    const strategy = strategyWith(29.8)
    expect(strategy.fuel?.leftL).toBeLessThan(14)
    expect(strategy).toMatchObject({
      lapsToPit: null,
      toGo: { laps: 5, stops: 0 },
      finishShortL: 0,
    })
  })

  test('a stint limit after the finish calls for no stop', () => {
    // 15:36 of 20 minutes are driven 3:52 before the end of 30 minutes; one slow lap behind a crash is compared.
    const at = 30 * minuteMs - 232_000
    const stop = at - 4 * minuteMs
    const laps = lapsUntil(at).map((lap, index, all) =>
      index === all.length - 2 ? { ...lap, timeMs: 150_000 } : lap,
    )
    const stints = [
      { driverId: 'theo', from: 0, to: at - 936_000 - 80_000 },
      { driverId: 'noor', from: at - 936_000, to: null },
    ]
    const visits = [
      { startedAt: stop - 80_000, endedAt: stop, stoppedAt: stop - 60_000, leftAt: stop - 20_000 },
    ]
    const race = { length: { in: 'time', ms: 30 * minuteMs } as const }
    const car = carIn({ maxStintMs: 20 * minuteMs }, { laps, stints, visits, race })
    expect(carPlan(car, at)?.plan.stints.at(-1)?.state).toBe('now')
    const { lapsToPit, limitLeftMs, pitReason } = carStrategy(car, at)
    expect({ lapsToPit, limitLeftMs, pitReason }).toEqual({
      lapsToPit: null,
      limitLeftMs: null,
      pitReason: null,
    })
  })

  test('a stint limit that ends in the last lap is named, though no stop keeps it', () => {
    const at = 30 * minuteMs - 87_000
    const from = at - 20 * minuteMs + 80_000
    const stints = [
      { driverId: 'theo', from: 0, to: from },
      { driverId: 'noor', from, to: null },
    ]
    const race = { length: { in: 'time', ms: 30 * minuteMs } as const }
    const car = carIn({ maxStintMs: 20 * minuteMs }, { laps: lapsUntil(at), stints, race })
    expect(carStrategy(car, at)).toMatchObject({ lapsToPit: null, isOverLimit: true })
    const kept = carIn({ maxStintMs: 21 * minuteMs }, { laps: lapsUntil(at), stints, race })
    expect(carStrategy(kept, at)).toMatchObject({ lapsToPit: null, isOverLimit: false })
  })

  test('a stint limit between the end of the time and the finish is named as well', () => {
    const at = 16 * lapMs
    const isOver = (maxStintMs: number, length: NonNullable<CarRace['race']>['length']) => {
      const { lapsToPit, isOverLimit } = carStrategy(
        carIn({ maxStintMs }, { laps: lapsUntil(at), race: { length } }),
        at + 50_000,
      )
      expect(lapsToPit).toBeNull()
      return isOverLimit
    }
    // The last lap ends 50 s after the time.
    const time = { in: 'time', ms: 17.5 * lapMs } as const
    expect(isOver(17.9 * lapMs, time)).toBe(true)
    expect(isOver(18.1 * lapMs, time)).toBe(false)
    expect(isOver(18.1 * lapMs, { in: 'laps', laps: 18 })).toBe(false)
  })

  test('a stop that the fuel needs is planned with its litres', () => {
    const strategy = strategyWith(26)
    expect(strategy).toMatchObject({ left: 1, pitReason: expect.any(String) })
    expect(strategy.toGo?.stops).toBe(1)
    expect(strategy.fills.at(-2)).toBeGreaterThan(0)
  })
})
