import { describe, expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { LaidPlan } from './carPlan.ts'
import type { CarRace, RaceEntry } from './carRace.ts'
import { carStrategy } from './carStrategy.ts'
import { driverQuestion, isUnconfirmed, nextDriver } from './driverQuestion.ts'
import { planOfStop, recentPlan, shownPlan } from './recentPlan.ts'

const lapMs = 100_000
const stop = {
  startedAt: 22.8 * lapMs,
  stoppedAt: 23 * lapMs,
  leftAt: 23.8 * lapMs,
  endedAt: 24 * lapMs,
}
const nowMs = 24.2 * lapMs
const ana = { driverId: 'ana', from: 0, to: null }
const leo = { driverId: 'leo', from: stop.stoppedAt, to: null }

function lapsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
}

/** A car with the longest stint of 40 minutes, which has left its stop after 40. */
function carAfter(
  rules: Partial<RaceRules> = {},
  {
    race,
    ...values
  }: Partial<Omit<Parameters<typeof drivenCar>[0] & object, 'race'>> & {
    race?: Partial<RaceEntry>
  } = {},
): CarRace {
  return drivenCar({
    race: {
      length: { in: 'time', ms: 120 * minuteMs },
      rules: { ...noRules, maxStintMs: 40 * minuteMs, ...rules },
      startedAt: 0,
      pauses: [],
      endedAt: null,
      ...race,
    },
    plan: { driverIds: ['ana', 'leo', 'mia'], stopMs: lapMs, lapMs: null, stints: [] },
    drivers: ['ana', 'leo', 'mia'].map(id => ({ id, archived: false })),
    stints: [ana],
    laps: lapsOf(24),
    visits: [stop],
    ...values,
  })
}

function driversOf(planned: LaidPlan | null) {
  return planned?.plan.stints.map(({ state, driver }) => `${driver} ${state}`)
}

describe('until a planned driver change is answered', () => {
  test('the stint is not known, and does not call the car in', () => {
    const asked = carStrategy(carAfter(), nowMs)
    expect(asked).toMatchObject({ asksDriver: true, stint: null, pitReason: 'plan' })
    const confirmed = carStrategy(carAfter({}, { stints: [{ ...ana, to: leo.from }, leo] }), nowMs)
    expect(confirmed.asksDriver).toBe(false)
    expect(confirmed.stint?.leftMs).toBe(40 * minuteMs - 0.2 * lapMs)
    expect(asked.lapsToPit).toBeGreaterThan(10)
  })

  test("neither do the driver's limits", () => {
    const limits = {
      maxDriverMs: 41 * minuteMs,
      inARow: { maxMs: 41 * minuteMs, restMs: minuteMs },
    }
    expect(carStrategy(carAfter(limits), nowMs).lapsToPit).toBeGreaterThan(10)
  })

  test('fuel and required stops do', () => {
    const car = { tankL: 60, reserveL: 2, burnL: 2 }
    const fills = [
      { kind: 'start' as const, at: 0, litres: 60 },
      { kind: 'part' as const, at: 23.5 * lapMs, litres: 1 },
    ]
    expect(carStrategy(carAfter({}, { car, fills }), nowMs)).toMatchObject({ pitReason: 'fuel' })
    const stops = { kind: 'count' as const, count: 2 }
    expect(carStrategy(carAfter({ stops }), nowMs).mandatoryStops).toBe(1)
  })

  test('the plan goes on with the planned driver', () => {
    expect(driversOf(recentPlan(carAfter(), nowMs))).toEqual(['ana driven', 'leo now', 'mia next'])
  })

  test('no car with limits is known to reach the finish', () => {
    const race = { length: { in: 'time' as const, ms: 60 * minuteMs } }
    const plan = {
      driverIds: [],
      stopMs: lapMs,
      lapMs: null,
      stints: [{ number: 2, driverId: 'leo', lengthMs: null }],
    }
    const ending = (rules: Partial<RaceRules>) =>
      carStrategy(carAfter(rules, { race, plan }), nowMs)
    expect(ending({})).toMatchObject({ asksDriver: true, lapsToPit: null, toGo: null })
    const stops = { kind: 'count' as const, count: 1 }
    expect(ending({ maxStintMs: null, stops }).toGo).toMatchObject({ stops: 0 })
  })
})

describe('the question of a driver change', () => {
  const asked = { stopAt: stop.startedAt, from: stop.stoppedAt, planned: { id: 'leo', stint: 2 } }

  test('stays after the finish, until the race is over', () => {
    const finished = { length: { in: 'laps' as const, laps: 30 } }
    const laps = lapsOf(30)
    expect(driverQuestion(carAfter({}, { race: finished, laps }))).toEqual(asked)
    const over = carAfter({}, { race: { endedAt: nowMs } })
    expect(driverQuestion(over)).toBeNull()
    expect(isUnconfirmed(over)).toBe(true)
    const stayed = { sameDriverAt: [stop.stoppedAt] }
    expect(isUnconfirmed(carAfter({}, { race: { endedAt: nowMs }, ...stayed }))).toBe(false)
    // A visit after the finish has no driver change.
    const parked = {
      startedAt: 31 * lapMs,
      stoppedAt: 32 * lapMs,
      leftAt: null,
      endedAt: 33 * lapMs,
    }
    expect(driverQuestion(carAfter({}, { race: finished, laps, visits: [parked] }))).toBeNull()
  })

  test('stays after a later stop without a planned change, or that is not one', () => {
    const later = { startedAt: 24.1 * lapMs, leftAt: null, endedAt: 24.15 * lapMs }
    const passed = { ...later, stoppedAt: null }
    expect(driverQuestion(carAfter({}, { visits: [stop, passed] }))).toEqual(asked)
    const open = { ...passed, endedAt: null }
    expect(driverQuestion(carAfter({}, { visits: [stop, open] }))).toEqual(asked)
  })

  test('is answered when the driver stayed, whose stint then goes on', () => {
    const stayed = carAfter({}, { sameDriverAt: [stop.stoppedAt] })
    expect(driverQuestion(stayed)).toBeNull()
    expect(carStrategy(stayed, nowMs)).toMatchObject({ lapsToPit: 0, pitReason: 'stint' })
    const before = carAfter({}, { sameDriverAt: [stop.startedAt - 1] })
    expect(driverQuestion(before)).toEqual(asked)
  })

  test('stays in the next stop and after it, and the plan goes on with the drivers after', () => {
    const next = { ...stop, startedAt: 46 * lapMs, stoppedAt: 46.2 * lapMs, endedAt: null }
    const inPits = carAfter({}, { laps: lapsOf(46), visits: [stop, { ...next, leftAt: null }] })
    expect(driverQuestion(inPits)).toEqual(asked)
    expect(nextDriver(planOfStop(inPits, 46.5 * lapMs), inPits)?.id).toBe('mia')
    expect(driversOf(shownPlan(inPits, 46.5 * lapMs))?.slice(0, 3)).toEqual([
      'ana driven',
      'leo driven',
      'mia next',
    ])
    const left = carAfter(
      {},
      { laps: lapsOf(46), visits: [stop, { ...next, endedAt: 47 * lapMs }] },
    )
    expect(driverQuestion(left)).toEqual(asked)
    expect(driversOf(recentPlan(left, 47.2 * lapMs))?.slice(0, 3)).toEqual([
      'ana driven',
      'leo driven',
      'mia now',
    ])
  })

  test('leaves the length of the last stint unknown after the race', () => {
    const race = { endedAt: 60 * lapMs }
    const brokenIn = (more: { sameDriverAt?: number[] }) =>
      recentPlan(carAfter({}, { race, laps: lapsOf(60), ...more }), 61 * lapMs)?.plan.broken
    expect(brokenIn({})).toEqual([])
    expect(brokenIn({ sameDriverAt: [stop.stoppedAt] })).toMatchObject([
      { kind: 'stint', number: 1 },
    ])
  })
})
