import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { brokenLimits } from './brokenLimits.ts'
import { layPlan } from './plan.ts'
import type { LaidStint, PlanRequest } from './planTypes.ts'
import { requiredStops } from './rules.ts'

function request(values: Partial<PlanRequest>, rules: Partial<RaceRules> = {}): PlanRequest {
  return {
    raceMs: 6 * hourMs,
    nowMs: 0,
    driven: [],
    drivers: ['Théo', 'Noor', 'Marta'],
    fixed: [],
    stopMs: 3 * minuteMs,
    lapMs: null,
    fuelMs: null,
    rules: { ...noRules, ...rules },
    ...values,
  }
}

/** As in "Théo 0-57", in minutes. */
function lines({ stints }: { stints: readonly LaidStint[] }): string[] {
  return stints.map(
    ({ driver, fromMs, toMs }) =>
      `${driver} ${Math.round(fromMs / minuteMs)}-${Math.round(toMs / minuteMs)}`,
  )
}

test('a race is divided into as few equal stints as the longest one allows', () => {
  const plan = layPlan(request({}, { maxStintMs: 70 * minuteMs }))
  expect(lines(plan)).toEqual([
    'Théo 0-70',
    'Noor 73-142',
    'Marta 145-215',
    'Théo 218-287',
    'Noor 290-360',
  ])
  expect(plan.broken).toEqual([])
})

test('required stops, a full tank and the order by hand decide as well', () => {
  const stops = layPlan(request({}, { stops: { kind: 'formula', everyMinutes: 90, minus: 1 } }))
  expect(stops.stints).toHaveLength(4)
  expect(layPlan(request({ fuelMs: 50 * minuteMs })).stints).toHaveLength(7)
  const ordered = layPlan(request({ drivers: ['Marta', 'Noor'], fuelMs: 130 * minuteMs }))
  expect(lines(ordered)).toEqual(['Marta 0-118', 'Noor 121-239', 'Marta 242-360'])
})

test('between two stops a car drives the laps that the rules demand', () => {
  const lapMs = 10 * minuteMs
  const rules = { minLapsBetweenStops: 3 }
  const stints = layPlan(
    request({ raceMs: 3 * hourMs, lapMs, fuelMs: 45 * minuteMs }, rules),
  ).stints
  expect(stints.slice(1, -1).map(({ fromMs, toMs }) => toMs - fromMs >= 3 * lapMs)).toEqual([
    true,
    true,
  ])
  const second = (toMs: number): LaidStint[] =>
    stints.map((stint, index) => (index === 1 ? { ...stint, toMs } : stint))
  const from = stints[1]?.fromMs ?? 0
  const broken = (toMs: number, known: Partial<PlanRequest> = { lapMs }) =>
    brokenLimits(second(toMs), request(known, rules))
  expect(broken(from + 3 * lapMs)).toEqual([])
  expect(broken(from + 2 * lapMs)).toEqual([{ kind: 'short', number: 2, overMs: lapMs }])
  expect(broken(from + 2 * lapMs, { lapMs: null })).toEqual([])
})

test('a driver with less time left gets shorter stints, or none', () => {
  const plan = layPlan(
    request(
      { raceMs: 4 * hourMs, stopMs: 0, drivers: ['Théo', 'Noor'] },
      { maxStintMs: hourMs, maxDriverMs: 2 * hourMs },
    ),
  )
  expect(plan.broken).toEqual([])
  expect(lines(plan)).toEqual(['Théo 0-60', 'Noor 60-120', 'Théo 120-180', 'Noor 180-240'])
})

test('time in another car of the race counts for the driver', () => {
  const values = { raceMs: 4 * hourMs, stopMs: 0, drivers: ['Théo', 'Noor'] }
  const rules = { maxStintMs: hourMs, maxDriverMs: 3 * hourMs }
  const plan = layPlan(request({ ...values, otherMs: new Map([['Théo', 2 * hourMs]]) }, rules))
  expect(plan.broken).toEqual([])
  const ownMs = plan.stints
    .filter(({ driver }) => driver === 'Théo')
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  expect(ownMs).toBeLessThanOrEqual(hourMs)
})

describe('re-planning', () => {
  test('a driver change that came late shortens the other stints', () => {
    const plan = layPlan(
      request(
        { nowMs: 75 * minuteMs, driven: [{ driver: 'Théo', fromMs: 0, toMs: 72 * minuteMs }] },
        { maxStintMs: 70 * minuteMs },
      ),
    )
    expect(plan.stints[0]).toMatchObject({ state: 'driven', toMs: 72 * minuteMs })
    expect(plan.stints[1]).toMatchObject({ state: 'next', driver: 'Noor', fromMs: 75 * minuteMs })
    expect(plan.stints.at(-1)?.toMs).toBe(6 * hourMs)
    expect(plan.broken).toEqual([{ kind: 'stint', number: 1, overMs: 2 * minuteMs }])
  })

  test('what was moved by hand is kept, and the others are laid out around it', () => {
    const fixed = [
      { number: 2, driver: 'Marta', lengthMs: 77 * minuteMs },
      { number: 4, driver: null, lengthMs: 30 * minuteMs },
    ]
    const plan = layPlan(request({ fixed }, { maxStintMs: 70 * minuteMs }))
    expect(plan.stints[1]).toMatchObject({ driver: 'Marta', isFixed: true })
    expect(plan.stints[1]!.toMs - plan.stints[1]!.fromMs).toBe(77 * minuteMs)
    expect(plan.stints[3]!.toMs - plan.stints[3]!.fromMs).toBe(30 * minuteMs)
    expect(plan.stints.at(-1)?.toMs).toBe(6 * hourMs)
    expect(plan.broken).toEqual([{ kind: 'stint', number: 2, overMs: 7 * minuteMs }])
  })

  test('a stint that was added by hand stays, and needs no driver', () => {
    const fixed = [{ number: 4, driver: null, lengthMs: 20 * minuteMs }]
    const plan = layPlan(request({ fixed, drivers: [] }))
    expect(plan.stints).toHaveLength(4)
    expect(plan.stints.map(({ driver }) => driver)).toEqual([null, null, null, null])
  })

  test('lengths by hand that end too early get another stint', () => {
    const fixed = [{ number: 1, driver: null, lengthMs: hourMs }]
    const plan = layPlan(request({ raceMs: 2 * hourMs, fixed }))
    expect(lines(plan)).toEqual(['Théo 0-60', 'Noor 63-120'])
  })
})

test('one long stop is planned until it was made, and named if none is left', () => {
  const rules = { technicalStopMs: 10 * minuteMs }
  expect(lines(layPlan(request({}, rules)))).toEqual(['Théo 0-175', 'Noor 185-360'])
  const made = [
    { driver: 'Théo', fromMs: 0, toMs: 60 * minuteMs },
    { driver: 'Noor', fromMs: 70 * minuteMs, toMs: null },
  ]
  expect(layPlan(request({ driven: made, nowMs: 80 * minuteMs }, rules))).toMatchObject({
    stints: [{}, { toMs: 360 * minuteMs }],
    broken: [],
  })
  const late = [{ driver: 'Théo', fromMs: 0, toMs: 6 * hourMs }]
  expect(layPlan(request({ driven: late, nowMs: 6 * hourMs }, rules)).broken).toEqual([
    { kind: 'technical', requiredMs: 10 * minuteMs },
  ])
})

test('a stint with FCY or SC may be longer, and one with little fuel is shorter', () => {
  const rules = { maxStintMs: 70 * minuteMs, yellowExtraMs: 10 * minuteMs }
  const plan = (hadYellow: boolean, more: Partial<PlanRequest> = {}) =>
    layPlan(
      request(
        {
          nowMs: 75 * minuteMs,
          driven: [{ driver: 'Théo', fromMs: 0, toMs: null, hadYellow }],
          ...more,
        },
        rules,
      ),
    )
  expect(plan(true).broken).toEqual([])
  expect(plan(false).broken).toEqual([{ kind: 'stint', number: 1, overMs: 5 * minuteMs }])
  const short = plan(true, { nowMs: 20 * minuteMs, currentFuelMs: 30 * minuteMs })
  expect(short.stints[0]?.toMs).toBe(30 * minuteMs)
})

test('fuel that ends within the lap of the pit entry is not short', () => {
  const plan = (currentFuelMs: number) =>
    layPlan(
      request({
        nowMs: 29 * minuteMs,
        lapLeftMs: 2 * minuteMs,
        driven: [{ driver: 'Théo', fromMs: 0, toMs: null }],
        currentFuelMs,
      }),
    )
  expect(plan(30 * minuteMs).stints[0]?.toMs).toBe(31 * minuteMs)
  expect(plan(30 * minuteMs).broken).toEqual([])
  expect(plan(28 * minuteMs).broken).toEqual([{ kind: 'fuel', number: 1, overMs: minuteMs }])
})

test('limits that cannot be kept are named, and the plan covers the race', () => {
  const plan = layPlan(request({ drivers: ['Théo'] }, { maxDriverMs: 2 * hourMs }))
  expect(plan.stints.at(-1)?.toMs).toBe(6 * hourMs)
  expect(plan.broken.map(({ kind }) => kind)).toContain('driver')
})

test('stints are prolonged where the driver before needs the rest', () => {
  const inARow = { maxMs: 8 * minuteMs, restMs: 8 * minuteMs }
  const values = { raceMs: 19 * minuteMs, stopMs: 0, drivers: ['Théo', 'Noor'] }
  const plan = layPlan(request(values, { maxDriverMs: 10 * minuteMs, inARow }))
  expect(plan.broken).toEqual([])
  expect(lines(plan)).toEqual(['Théo 0-2', 'Noor 2-10', 'Théo 10-18', 'Noor 18-19'])
})

/** All times of a random race are multiples of this, so that few plans have to be tried. */
const stepMs = 2 * minuteMs
const inMinutes = (min: number, max: number) =>
  fc.integer({ min: min / 2, max: max / 2 }).map(steps => steps * stepMs)

const anyRules = fc.record({
  maxStintMs: fc.option(inMinutes(4, 12)),
  maxDriverMs: fc.option(inMinutes(6, 24)),
  inARow: fc.option(fc.record({ maxMs: inMinutes(6, 12), restMs: inMinutes(2, 8) })),
  stops: fc.option(
    fc.record({ kind: fc.constant('count' as const), count: fc.integer({ min: 1, max: 3 }) }),
  ),
})
const anyRequest = fc
  .record({
    raceMs: inMinutes(8, 24),
    stopMs: inMinutes(0, 2),
    drivers: fc.integer({ min: 1, max: 3 }).map(count => ['Théo', 'Noor', 'Marta'].slice(0, count)),
    rules: anyRules,
  })
  .map(({ rules, ...values }) => request(values, rules))

/** Tries all plans in steps of two minutes with at most five stints. */
function somePlanKeepsAllLimits(asked: PlanRequest): boolean {
  const { raceMs, stopMs, drivers } = asked
  return extend([], 0)

  function extend(stints: LaidStint[], fromMs: number): boolean {
    for (let toMs = fromMs + stepMs; toMs <= raceMs; toMs += stepMs) {
      if (toMs < raceMs && (stints.length === 4 || toMs + stopMs >= raceMs)) continue
      for (const driver of drivers) {
        const stint = { driver, fromMs, toMs, number: stints.length + 1, isFixed: false }
        const all = [...stints, { ...stint, state: 'next' as const }]
        const isKept = brokenLimits(all, asked).every(({ kind }) => kind === 'stops')
        if (!isKept) continue
        if (toMs === raceMs) {
          if (all.length > requiredStops(asked.rules, raceMs)) return true
        } else if (extend(all, toMs + stopMs)) return true
      }
    }
    return false
  }
}

test('no plan breaks a limit if one exists that keeps them all', () => {
  let possible = 0
  fc.assert(
    fc.property(anyRequest, asked => {
      const plan = layPlan(asked)
      expect(plan.stints.at(-1)?.toMs).toBe(asked.raceMs)
      if (!somePlanKeepsAllLimits(asked)) return
      possible++
      expect(plan.broken).toEqual([])
    }),
    { numRuns: 250 },
  )
  expect(possible).toBeGreaterThan(80)
})

test('the order stays when fewer open stints allow more orders to be tried', () => {
  const inARow = { maxMs: 5 * minuteMs, restMs: 6 * minuteMs }
  const asked = request(
    { raceMs: 23 * minuteMs, stopMs: minuteMs, drivers: ['Théo', 'Noor'] },
    { maxDriverMs: 7 * minuteMs, inARow },
  )
  const plan = layPlan(asked)
  const begun = layPlan({ ...asked, driven: [{ driver: 'Théo', fromMs: 0, toMs: null }] })
  expect(plan.stints).toHaveLength(10)
  expect(lines(begun)).toEqual(lines(plan))
})

test('a plan that is driven as planned does not change', () => {
  fc.assert(
    fc.property(anyRequest, fc.double({ min: 0, max: 1, noNaN: true }), (asked, share) => {
      const plan = layPlan(asked)
      if (plan.broken.length > 0) return
      const nowMs = Math.floor((share * asked.raceMs) / 1000) * 1000
      const begun = plan.stints.filter(({ fromMs }) => fromMs <= nowMs)
      const driven = begun.map(({ driver, fromMs, toMs }) => ({
        driver,
        fromMs,
        toMs: toMs <= nowMs ? toMs : null,
      }))
      const again = layPlan({ ...asked, nowMs, driven })
      expect(again.stints.map(({ driver }) => driver)).toEqual(
        plan.stints.map(({ driver }) => driver),
      )
      again.stints.forEach(({ fromMs, toMs }, index) => {
        expect(Math.abs(fromMs - plan.stints[index]!.fromMs)).toBeLessThanOrEqual(1000)
        expect(Math.abs(toMs - plan.stints[index]!.toMs)).toBeLessThanOrEqual(1000)
      })
      expect(again.broken).toEqual([])
    }),
    { numRuns: 250 },
  )
})
