import { describe, expect, test } from 'vitest'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { exampleLap, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { carPlan } from './carPlan.ts'
import { type CarRace, carRaceOf } from './carRace.ts'
import { carStrategy, stintLapsLeft } from './carStrategy.ts'
import { nextDriver } from './driverQuestion.ts'
import { plannedFill } from './plannedFill.ts'
import { planSheet } from './planSheet.ts'
import { raceResult } from './raceResult.ts'
import { planOfStop, recentPlan, shownPlan } from './recentPlan.ts'
import type { Visit } from './stopClock.ts'

const drivers = ['Ana', 'Marta', 'Ben'].map(name => ({
  id: name,
  name,
  userId: null,
  archived: false,
}))

const raceCar = {
  id: 'car',
  number: '17',
  name: null,
  carClass: null,
  archived: false,
  tankL: 95,
  reserveL: 3,
  burnL: 1.87,
}

/** A prepared race of six hours for a car with 95 L that burns 1.87 L a lap of 1:52. */
function prepared(rules: Partial<RaceRules> = {}, more: Partial<StoredCarRace> = {}) {
  return carRaceOf({
    ...storedCarRace(),
    phones: [],
    runs: [],
    stints: [],
    drivers,
    car: raceCar,
    plan: { driverIds: [], stopMs: 4 * minuteMs, lapMs: 112_700, stints: [] },
    race: exampleRace({ rules: { ...noRules, ...rules }, carIds: ['car'] }),
    ...more,
  })
}

function sheetOf(carRace: CarRace, nowMs = 0) {
  const laid = carPlan(carRace, nowMs)
  if (!laid) throw new Error('There is no plan.')
  return planSheet(carRace, laid)
}

test('a prepared race says that fuel ends each stint, and which tank would save a stop', () => {
  const sheet = sheetOf(prepared({ maxStintMs: 2 * hourMs, maxDriverMs: 3 * hourMs }))
  expect(sheet.stops).toBe(4)
  // Equal stints of 37 laps; an entered burn is not certain, so that 95 L are reckoned as 44.
  const fuel = { by: 'fuel', laps: 44 }
  expect(sheet.stints.map(({ end }) => end)).toEqual([fuel, fuel, fuel, fuel, { by: 'race' }])
  expect(sheet.limit).toEqual(fuel)
  expect(sheet.stints.map(({ laps }) => laps)).toEqual([37, 37, 37, 37, 37])
  // The burn of a stint; after the last stop the reserve is left at the end, also at the pessimistic burn of 2.08 L.
  expect(sheet.stints.map(({ litres }) => litres)).toEqual([70, 70, 70, 54, null])
  expect(sheet.fewer).toEqual({ by: 'tank', litres: 101, stops: 3 })
  const minutes = sheet.drivers.map(({ driver, ms }) => [driver, ms / minuteMs])
  expect(minutes).toEqual([
    ['Ana', 137.6],
    ['Marta', 137.6],
    ['Ben', 68.8],
  ])
})

test('the last stint has the lap in which the race ends, and the litres for it', () => {
  const { stints, stops } = sheetOf(
    prepared(
      {},
      {
        car: { ...raceCar, tankL: 30, burnL: 4 },
        plan: { driverIds: [], stopMs: 65_000, lapMs: 81_000, stints: [] },
        race: exampleRace({
          length: { in: 'time', ms: 15 * minuteMs },
          rules: noRules,
          carIds: ['car'],
        }),
      },
    ),
  )
  expect(stops).toBe(1)
  // From 7:50 to 15:00 are 5.3 laps; 5 laps have left 10 L, and the stop fills the rest of the tank.
  expect(stints.map(({ laps, litres }) => [laps, litres])).toEqual([
    [5, 20],
    [6, null],
  ])
})

test('a stop for fuel has litres, also if its own time saves the lap that lacks them', () => {
  const stopOf = (rules: Partial<RaceRules>, minutes: number) =>
    sheetOf(
      prepared(rules, {
        car: { ...raceCar, tankL: 30, burnL: 4 },
        plan: { driverIds: [], stopMs: 2 * minuteMs, lapMs: 96_000, stints: [] },
        race: exampleRace({
          length: { in: 'time', ms: minutes * minuteMs },
          rules: { ...noRules, ...rules },
          carIds: ['car'],
        }),
      }),
    ).stints[0]
  // 7 laps and a reserve of one need more than the tank has; with the stop there are only 6.
  expect(stopOf({}, 10)).toMatchObject({ end: { by: 'fuel' }, laps: 3, litres: 5 })
  // The stop of a rule needs no fuel.
  const required = { stops: { kind: 'count' as const, count: 1 } }
  expect(stopOf(required, 8)).toMatchObject({ end: { by: 'stops' }, litres: 0 })
})

test('one stint has the laps of its race, not those of the tank', () => {
  const length = { in: 'time', ms: 7 * minuteMs } as const
  const plan = { driverIds: [], stopMs: 0, lapMs: 105_000, stints: [] }
  const car = prepared({}, { plan, race: exampleRace({ length, rules: noRules, carIds: ['car'] }) })
  const laid = carPlan(car, 0)!
  const lapsLeft = stintLapsLeft(carStrategy(car, 0), laid)
  expect(lapsLeft).toBeGreaterThan(19)
  expect(planSheet(car, laid, lapsLeft).stints.map(({ laps }) => laps)).toEqual([4])
})

test('no stop fills what the rest of the race does not need', () => {
  const rules = { stops: { kind: 'count' as const, count: 2 } }
  const litresOf = (tankL: number, minutes: number) =>
    sheetOf(
      prepared(rules, {
        car: { ...raceCar, tankL, burnL: 2.5 },
        plan: { driverIds: [], stopMs: minuteMs, lapMs: 100_000, stints: [] },
        race: exampleRace({
          length: { in: 'time', ms: minutes * minuteMs },
          rules: { ...noRules, ...rules },
          carIds: ['car'],
        }),
      }),
    ).stints.map(({ litres }) => litres)
  expect(litresOf(60, 7)).toEqual([0, 0, null])
  // 28 laps and the reserve need more than the tank has: the first stop fills what is missing.
  const [first, second] = litresOf(60, 48)
  expect(first).toBeGreaterThan(0)
  expect(second).toBe(0)
})

test('the rule that is shorter than the fuel ends the stints', () => {
  const sheet = sheetOf(prepared({ maxStintMs: 70 * minuteMs }, { car: null }))
  expect(sheet.limit).toEqual({ by: 'stint', ms: 70 * minuteMs })
  expect(sheet.fewer).toMatchObject({ by: 'stint', stops: sheet.stops - 1 })
})

test('no stint has a lap that ends after a limit of the rules', () => {
  // A stint of 70 min is 37.3 laps, one of 71 min 37.8.
  const laps = (minutes: number) =>
    sheetOf(prepared({ maxStintMs: minutes * minuteMs }, { car: null })).stints.map(
      each => each.laps,
    )
  for (const minutes of [70, 71])
    for (const each of laps(minutes)) expect(each).toBeLessThanOrEqual(37)
  // After 4 laps of 105 s and a stop 8:45 are left: two stops are needed.
  const sprint = sheetOf(
    prepared(
      { maxStintMs: 8 * minuteMs },
      {
        car: null,
        plan: { driverIds: [], stopMs: 75_000, lapMs: 105_000, stints: [] },
        race: exampleRace({
          length: { in: 'time', ms: 17 * minuteMs },
          rules: { ...noRules, maxStintMs: 8 * minuteMs },
          carIds: ['car'],
        }),
      },
    ),
  )
  expect(sprint.stints.map(each => each.laps)).toEqual([3, 3, 3])
})

test('required stops, and a length that was set by hand, are limits as well', () => {
  const required = sheetOf(prepared({ stops: { kind: 'count', count: 5 } }))
  expect(required.stops).toBe(5)
  expect(required.limit).toEqual({ by: 'stops', count: 5 })
  expect(required.fewer).toBeNull()
  const plan = {
    driverIds: [],
    stopMs: null,
    lapMs: 112_700,
    stints: [{ number: 1, driverId: null, lengthMs: hourMs }],
  }
  expect(sheetOf(prepared({}, { plan })).stints[0]?.end).toEqual({ by: 'hand' })
})

test('without a lap time and a tank neither laps nor litres are known', () => {
  const plan = { driverIds: [], stopMs: null, lapMs: null, stints: [] }
  const sheet = sheetOf(prepared({ maxStintMs: 2 * hourMs }, { plan, car: null }))
  expect(sheet.stints.map(({ laps, litres }) => [laps, litres])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ])
})

test('a stop that was made has its time over the minimum, and its litres', () => {
  const startedAt = 1_000_000
  const at = (minutes: number) => startedAt + minutes * minuteMs
  const rules = { minStop: { ms: 3 * minuteMs, counts: 'lane' as const, onlyWithFuel: false } }
  const base = prepared(rules)
  const visit = { startedAt: at(50), endedAt: at(53.2), stoppedAt: at(50.5), leftAt: at(53) }
  const phone = {
    sessionId: 's1',
    name: 'Car 17',
    person: 'Ana Winter',
    startedAt: at(-5),
    endedAt: null,
    starterId: null,
    lastFixAt: at(60),
    leftPitsAt: [],
    laps: [],
    visits: [],
  }
  const stint = (number: number, driverId: string, from: number, to: number | null) => ({
    id: `${number}`,
    number,
    sessionId: 's1',
    driverId,
    from,
    to,
  })
  const driven = (visits: Visit[], endedAt: number | null) =>
    carRaceOf({
      ...base,
      race: base.race && { ...base.race, startedAt, endedAt },
      phones: [{ ...phone, visits }],
      runs: [{ sessionId: 's1', from: at(-5), until: null, decidedBy: 'moved' }],
      stints: [stint(1, 'Ana', at(-5), at(51)), stint(2, 'Marta', at(51), null)],
      fills: [{ id: 'f', at: at(52), litres: 49, kind: 'full' }],
    })
  const sheet = sheetOf(driven([visit], null), at(60))
  expect(sheet.visits).toEqual([
    {
      openSince: null,
      isStop: true,
      after: 1,
      ms: 3.2 * minuteMs,
      overMs: 0.2 * minuteMs,
      isYellow: false,
      litres: 49,
      lacksLitres: false,
    },
  ])
  // A tank lasts 40 laps, so that five stints of 37 laps were planned for the six hours.
  expect(sheet.stints[0]).toMatchObject({ state: 'driven', end: null, lapsShort: 10 })
  expect(sheet.stints[1]?.lapsShort).toBeNull()
  // A stop without a driver change counts as well.
  const second = { startedAt: at(70), endedAt: at(73), stoppedAt: at(71), leftAt: at(72) }
  const over = sheetOf(driven([visit, second], at(90)), at(95))
  expect([over.stints.length, over.stops, over.made]).toEqual([2, 2, 2])
  // So does one under the minimum, which is named.
  const early = { ...second, startedAt: at(70.5) }
  const withShort = sheetOf(driven([visit, early], at(90)), at(95))
  expect([withShort.stops, withShort.short, over.short]).toEqual([2, 1, 0])
  // A visit in which the car did not stop is listed beside them.
  const passed = { ...second, stoppedAt: null, leftAt: null }
  const without = sheetOf(driven([visit, passed], at(90)), at(95))
  expect(without).toMatchObject({ stops: 1, made: 1, short: 0, noStops: 1 })
  expect(without.visits[1]).toMatchObject({
    isStop: false,
    after: 2,
    ms: 3 * minuteMs,
    overMs: null,
  })
  // Litres entered after the exit are those of the stop.
  const exit = driven([visit], null)
  const entered = { ...exit, fills: [{ id: 'f', at: at(59), litres: 49, kind: 'full' as const }] }
  expect(sheetOf(entered, at(60)).visits).toEqual(sheet.visits)
  // One after the flag does not.
  const late = sheetOf(driven([visit, second], at(65)), at(95))
  expect([late.stops, late.made]).toEqual([1, 1])
})

test('a stop is under yellow if its entry or most of it was', () => {
  const rules = { ...noRules, maxStintMs: 30 * minuteMs }
  const race = exampleRace({ length: { in: 'time', ms: hourMs }, rules, startedAt: 0 })
  const visits = [10, 20, 30].map(minute => ({
    startedAt: minute * minuteMs,
    endedAt: (minute + 1) * minuteMs,
    stoppedAt: minute * minuteMs + 10_000,
    leftAt: minute * minuteMs + 50_000,
  }))
  const laps = [
    exampleLap(1, { startedAt: 9 * minuteMs, timeMs: 3 * minuteMs, kind: 'pit', yellow: true }),
  ]
  const yellowTimes = [
    // The end of a stop, an entry, and most of a stop.
    { from: 10.8 * minuteMs, to: 15 * minuteMs },
    { from: 19 * minuteMs, to: 20.1 * minuteMs },
    { from: 30.4 * minuteMs, to: null },
  ]
  const plan = { driverIds: [], stopMs: 0, lapMs: 160_000, stints: [] }
  const driven = drivenCar({ race, laps, visits, yellowTimes, plan })
  const made = sheetOf(driven, 40 * minuteMs).visits
  expect(made.map(({ isYellow }) => isYellow)).toEqual([false, true, true])
})

test('a yellow time that is entered twice counts once', () => {
  const race = exampleRace({ length: { in: 'time', ms: hourMs }, rules: noRules, startedAt: 0 })
  const stop = { startedAt: 600_000, endedAt: 770_000, stoppedAt: 620_000, leftAt: 760_000 }
  const laps = [exampleLap(1, { startedAt: 0, timeMs: 800_000, kind: 'pit', yellow: true })]
  const plan = { driverIds: [], stopMs: 0, lapMs: 160_000, stints: [] }
  const isYellow = (yellowTimes: { from: number; to: number | null }[]) =>
    sheetOf(drivenCar({ race, laps, visits: [stop], yellowTimes, plan }), 900_000).visits[0]
      ?.isYellow
  const last60s = { from: 710_000, to: null }
  expect(isYellow([last60s, last60s])).toBe(false)
  expect(isYellow([{ from: 680_000, to: 720_000 }, last60s])).toBe(true)
})

test('a stop of a race in laps has the litres for all laps that are left', () => {
  const length = { in: 'laps', laps: 60 } as const
  const stops = { kind: 'count' as const, count: 1 }
  const race = exampleRace({ length, rules: { ...noRules, stops }, carIds: ['car'] })
  const plan = { driverIds: [], stopMs: 5 * minuteMs, lapMs: 100_000, stints: [] }
  const car = { ...raceCar, tankL: 100, reserveL: 0, burnL: 2 }
  const [first] = sheetOf(prepared({}, { car, plan, race })).stints
  // 29 laps burn 58 L, and leave 42 L; the other 31 need 72 L at the pessimistic burn.
  expect(first).toMatchObject({ laps: 29, litres: 30 })
})

test('the first stop fills what an entered level at the start lacks', () => {
  const litresWith = (litres: number) =>
    sheetOf(prepared({}, { fills: [{ id: 's', at: 0, litres, kind: 'start' }] })).stints[0]?.litres
  expect(litresWith(95)).toBe(70)
  expect(litresWith(85)).toBe(80)
  const { plan, race } = prepared()
  const laps = [0, 1, 2].map(index =>
    exampleLap(index + 1, { startedAt: index * 112_700, timeMs: 112_700, kind: 'full' }),
  )
  const practised = drivenCar({ car: raceCar, plan, race, laps })
  expect(sheetOf(practised, 4 * 112_700).stints[0]?.litres).toBe(70)
})

test('the last stint ends where the car finished, not where somebody pressed later', () => {
  const laps = [0, 1, 2, 3].map(index =>
    exampleLap(index + 1, { startedAt: index * 160_000, timeMs: 160_000, kind: 'full' }),
  )
  const rules = { ...noRules, maxStintMs: 10 * minuteMs }
  const raced = (endedAt: number | null, minutes: number, finishShownAt?: number) => {
    const length = { in: 'time', ms: minutes * minuteMs } as const
    const race = exampleRace({ length, rules, startedAt: 0, endedAt, carIds: ['car'] })
    const plan = { driverIds: [], stopMs: 0, lapMs: 160_000, stints: [] }
    return carPlan({ ...drivenCar({ laps, plan, finishShownAt }), race }, 20 * minuteMs)!.plan
  }
  // The fourth lap ends 40 s over the limit.
  const finished = {
    broken: [{ kind: 'stint', number: 1, overMs: 40_000 }],
    stints: [{ state: 'driven', toMs: 640_000 }],
  }
  for (const endedAt of [null, 630_000, 800_000]) expect(raced(endedAt, 10)).toMatchObject(finished)
  // The official finish was shown before the time was up.
  for (const finishShownAt of [500_000, 645_000])
    expect(raced(null, 13, finishShownAt)).toMatchObject(finished)
  expect(raced(null, 30, 655_000).stints[0]).toMatchObject({ state: 'now' })
  // A car that did not reach the end raced until "Race over".
  expect(raced(800_000, 13).stints).toMatchObject([{ toMs: 800_000 }])
})

test('the laps of the stints are those of the result, also after a gap that hid some', () => {
  const lapMs = 100_000
  const race = { ...exampleRace({ startedAt: 0, endedAt: 8 * lapMs }), rules: noRules }
  // The third lap was not seen, and the sixth one after the change either.
  const laps = [1, 2, 4, 5, 7, 8].map(number =>
    exampleLap(number, { startedAt: (number - 1) * lapMs, timeMs: lapMs }),
  )
  const stints = [
    { driverId: 'Ana', from: 0, to: 4 * lapMs },
    { driverId: 'Ben', from: 4 * lapMs, to: null },
  ]
  const plan = { driverIds: [], stopMs: 0, lapMs, stints: [] }
  const car = drivenCar({ race, laps, stints, plan })
  expect(raceResult([{ id: 'car', carRace: car }])[0]?.laps).toBe(8)
  expect(sheetOf(car, 8 * lapMs).stints.map(stint => stint.laps)).toEqual([4, 4])
})

describe('while a car is in the pits', () => {
  const lapMs = 100_000
  const rules = {
    ...noRules,
    maxStintMs: 6 * minuteMs,
    stops: { kind: 'count' as const, count: 2 },
  }
  const race = exampleRace({ length: { in: 'time', ms: 11 * minuteMs }, rules, startedAt: 0 })
  const laps = [0, 1, 2].map(index =>
    exampleLap(index + 1, { startedAt: index * lapMs, timeMs: lapMs, kind: 'full' }),
  )
  const visit = { startedAt: 328_000, endedAt: null, stoppedAt: 340_000, leftAt: null }
  const nowMs = 398_000
  const stint = { driverId: 'Ana', from: 0, to: null }
  const inPits = (more: Parameters<typeof drivenCar>[0] = {}) =>
    drivenCar({
      race,
      laps,
      drivers: [...drivers],
      car: { tankL: 40, reserveL: 0, burnL: 2.5 },
      fills: [{ kind: 'start', at: 0, litres: 14 }],
      plan: { driverIds: [], stopMs: 50_000, lapMs, stints: [] },
      stints: [stint],
      visits: [visit],
      ...more,
    })
  const shown = (car: CarRace) => {
    const laid = shownPlan(car, nowMs)!
    const lapsLeft = stintLapsLeft(carStrategy(car, nowMs), laid)
    return { broken: laid.plan.broken, ...planSheet(car, laid, lapsLeft) }
  }

  test('its stint has ended with the pit entry, within its limit', () => {
    const { stints, broken } = shown(inPits())
    expect(stints[0]).toMatchObject({ state: 'driven', toMs: 328_000, laps: 3, driver: 'Ana' })
    expect(stints[1]).toMatchObject({ state: 'next', driver: 'Marta' })
    expect(stints[1]?.fromMs).toBeGreaterThanOrEqual(nowMs - 5000)
    expect(broken.filter(({ kind }) => kind === 'stint')).toEqual([])
  })

  test('driver and litres are those of the stop on the wall, also after the change', () => {
    const planned = plannedFill(inPits(), nowMs)
    expect(planned?.litres).toBeGreaterThan(0)
    const next = nextDriver(planOfStop(inPits(), nowMs), inPits())
    expect(next?.id).toBe('Marta')
    const changed = inPits({
      stints: [
        { ...stint, to: 350_000 },
        { driverId: 'Marta', from: 350_000, to: null },
      ],
    })
    for (const car of [inPits(), changed])
      expect(shown(car)).toMatchObject({
        stints: [{ driver: 'Ana' }, { driver: 'Marta' }, {}],
        visits: [{ openSince: visit.startedAt, after: 1, litres: planned?.litres }],
        made: 0,
      })
    const entered = inPits({
      fills: [...inPits().fills, { kind: 'part', at: 360_000, litres: 9 }],
    })
    expect(shown(entered).visits).toMatchObject([{ litres: 9 }])
  })

  test('the stop after it has no litres if those of this one reach the finish', () => {
    expect(shown(inPits()).stints.map(({ litres }) => litres)).toEqual([null, 0, null])
  })

  test('the same driver goes on after a stop that the plan does not have', () => {
    const unlimited = { ...race, rules: noRules }
    const { stints } = shown(inPits({ race: unlimited, fills: [] }))
    expect(stints.map(({ driver }) => driver)).toEqual(['Ana', 'Ana'])
  })

  test('a car that has finished, or waits for the start, has the plan of before', () => {
    for (const car of [
      inPits({ race: { ...race, startedAt: nowMs - 1000 } }),
      inPits({ race: { ...race, endedAt: nowMs - 1000 } }),
    ])
      expect(shownPlan(car, nowMs)).toBe(recentPlan(car, nowMs))
    const { visits } = shown(inPits({ race: { ...race, endedAt: nowMs - 1000 } }))
    expect(visits).toMatchObject([{ openSince: visit.startedAt, litres: null }])
  })
})

test('a stint beyond its plan ends with its lap, and its litres stay the same in it', () => {
  const lapMs = 100_000
  const rules = { ...noRules, stops: { kind: 'count' as const, count: 2 } }
  const race = exampleRace({ length: { in: 'time', ms: 11 * minuteMs }, rules, startedAt: 0 })
  const at = (seconds: number, laps: number) => {
    const car = drivenCar({
      race,
      laps: Array.from({ length: laps }, (_, index) =>
        exampleLap(index + 1, { startedAt: index * lapMs, timeMs: lapMs, kind: 'full' }),
      ),
      car: { tankL: 40, reserveL: 0, burnL: 2.5 },
      fills: [{ kind: 'start', at: 0, litres: 14 }],
      plan: { driverIds: [], stopMs: 50_000, lapMs, stints: [] },
    })
    const laid = recentPlan(car, seconds * 1000)!
    const lapsLeft = stintLapsLeft(carStrategy(car, seconds * 1000), laid)
    return planSheet(car, laid, lapsLeft).stints[0]
  }
  // Three stints of 187 s were planned.
  const inLap = [225, 250, 275, 295].map(seconds => at(seconds, 2))
  for (const stint of inLap)
    expect(stint).toMatchObject({ toMs: 300_000, laps: 3, litres: inLap[0]?.litres })
  expect(inLap[0]?.litres).toBeGreaterThan(0)
  // A slower lap goes on.
  expect(at(310, 2)).toMatchObject({ toMs: 310_000, laps: 3 })
  // The last lap before which a required stop can be made has no other one after it.
  expect(at(550, 5)).toMatchObject({ toMs: 600_000, laps: 6 })
})

test('a stop without litres is marked, and the stops after it have no planned litres', () => {
  const lapMs = 100_000
  const rules = { ...noRules, stops: { kind: 'count' as const, count: 2 } }
  const race = exampleRace({ length: { in: 'time', ms: 15 * minuteMs }, rules, startedAt: 0 })
  const visit = { startedAt: 310_000, endedAt: 370_000, stoppedAt: 320_000, leftAt: 360_000 }
  const car = drivenCar({
    race,
    laps: [0, 1, 2].map(index =>
      exampleLap(index + 1, { startedAt: index * lapMs, timeMs: lapMs, kind: 'full' }),
    ),
    car: { tankL: 40, reserveL: 0, burnL: 2.5 },
    fills: [{ kind: 'start', at: 0, litres: 14 }],
    plan: { driverIds: [], stopMs: 50_000, lapMs, stints: [] },
    visits: [visit],
  })
  const without = sheetOf(car, 400_000)
  expect(without.visits).toMatchObject([{ litres: null, lacksLitres: true }])
  expect(without.stints.map(({ litres }) => litres)).toEqual(without.stints.map(() => null))
  const entered = {
    ...car,
    fills: [...car.fills, { kind: 'part' as const, at: 350_000, litres: 0 }],
  }
  const known = sheetOf(entered, 400_000)
  expect(known.visits).toMatchObject([{ litres: 0, lacksLitres: false }])
  expect(known.stints[0]?.litres).toBeGreaterThan(0)
})
