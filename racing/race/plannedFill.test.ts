import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import type { RaceEntry } from './carRace.ts'
import { carStrategy } from './carStrategy.ts'
import { lacksLitres, stopsWithoutLitres } from './lacksLitres.ts'
import { kindOfFill, plannedFill } from './plannedFill.ts'

const lapMs = 100_000
const car = { tankL: 80, reserveL: 4, burnL: 2 }
const start = { kind: 'start' as const, at: 0, litres: 80 }

/** Laps of 100 s from time 0 on; the last one contains the stop. */
function laps(count: number): DrivenLap[] {
  return Array.from({ length: count }, (_, index) => ({
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: index === 0 ? 'out' : 'full',
    isSeen: true,
    yellow: false,
  }))
}

function raceOf(lengthLaps: number): RaceEntry {
  return {
    length: { in: 'time', ms: lengthLaps * lapMs },
    rules: noRules,
    startedAt: 0,
    pauses: [],
    endedAt: null,
  } as RaceEntry
}

const plan = { driverIds: [], stopMs: lapMs, lapMs: null, stints: [] }
const stop = { startedAt: 20.1 * lapMs, endedAt: null, stoppedAt: 20.2 * lapMs, leftAt: null }
const left = { ...stop, leftAt: 20.8 * lapMs, endedAt: 20.9 * lapMs }

test('a stop fills what the tank has lost, also some laps later', () => {
  const given = { car, laps: laps(20), fills: [start], visits: [stop] }
  const full = { litres: 40, kind: 'full' }
  expect(plannedFill(drivenCar(given), 20.5 * lapMs)).toMatchObject(full)
  const later = { ...given, laps: laps(24), visits: [left] }
  expect(plannedFill(drivenCar(later), 24.5 * lapMs)).toMatchObject(full)
})

test('about the litres of a planned full tank fill it, fewer are a part', () => {
  const full = { litres: 18, plusMinusL: 2, kind: 'full' as const }
  const kinds = [18, 16, 15, 5, 20].map(litres => kindOfFill(full, litres))
  expect(kinds.join(' ')).toBe('full full part part full')
  expect(kindOfFill({ litres: 37, plusMinusL: null, kind: 'part' }, 37)).toBe('part')
  expect(kindOfFill(null, 40)).toBe('part')
})

test('no fuel is never a full tank, however uncertain the planned litres are', () => {
  const fills = [
    start,
    { kind: 'full' as const, at: 20.5 * lapMs, litres: 40 },
    { kind: 'part' as const, at: 50.5 * lapMs, litres: 57 },
  ]
  const visits = [{ ...stop, startedAt: 51.8 * lapMs, stoppedAt: 51.9 * lapMs }]
  const given = { car: { ...car, burnL: null }, laps: laps(51), fills, visits }
  const planned = plannedFill(drivenCar(given), 52 * lapMs)
  expect(planned?.plusMinusL).toBeGreaterThan(planned?.litres ?? Number.POSITIVE_INFINITY)
  const kinds = [0, 1, planned?.litres ?? 0].map(litres => kindOfFill(planned, litres))
  expect(kinds.join(' ')).toBe('part part full')
})

test('the last stop fills no more than the rest of the race needs', () => {
  // 30 laps at the pessimistic end of 2 L, which was only entered, and the reserve of 4 L are needed, 34 L are left.
  const given = { car, plan, race: raceOf(53.5), laps: laps(23), fills: [start] }
  const visits = [{ ...stop, startedAt: 23.1 * lapMs, stoppedAt: 23.2 * lapMs }]
  expect(plannedFill(drivenCar({ ...given, visits }), 23.5 * lapMs)).toMatchObject({
    litres: 37,
    kind: 'part',
  })
  const long = { ...given, race: raceOf(300), visits }
  expect(plannedFill(drivenCar(long), 23.5 * lapMs)).toMatchObject({ litres: 46, kind: 'full' })
})

test('time lost in stops and under yellow takes no laps from a race in laps', () => {
  const visits = [{ ...stop, startedAt: 23.1 * lapMs, stoppedAt: 23.2 * lapMs }]
  const given = { car, plan, laps: laps(23), fills: [start], visits }
  const litresOf = (count: number, startedAt: number) => {
    const race = { ...raceOf(0), length: { in: 'laps', laps: count } as const, startedAt }
    return plannedFill(drivenCar({ ...given, race }), 23.5 * lapMs)?.litres
  }
  // The 23rd lap is the last one before the stop, so that 30 are left.
  const litres = litresOf(53, 0)
  expect(litres).toBe(37)
  expect(litresOf(53, -10 * lapMs)).toBe(litres)
})

test('a stop before other stops fills no more than the rest of the race needs either', () => {
  const rules = { ...noRules, stops: { kind: 'count' as const, count: 3 } }
  const race = { ...raceOf(53.5), rules }
  const visits = [{ ...stop, startedAt: 23.1 * lapMs, stoppedAt: 23.2 * lapMs }]
  const given = { car, plan, race, laps: laps(23), fills: [start], visits }
  const planned = plannedFill(drivenCar(given), 23.5 * lapMs)
  expect(planned).toMatchObject({ kind: 'part' })
  expect(planned?.litres).toBeLessThan(37)
})

test('the planned litres of a stop stay those of the pit entry', () => {
  const drivers = ['ana', 'leo'].map(id => ({ id, archived: false }))
  const given = { car, plan, drivers, race: raceOf(53.5), laps: laps(23), fills: [start] }
  const entry = { ...stop, startedAt: 23.9 * lapMs, stoppedAt: null }
  const visits = [{ ...entry, stoppedAt: 24.1 * lapMs }]
  const stints = [
    { driverId: 'ana', from: 0, to: 24.5 * lapMs },
    { driverId: 'leo', from: 24.5 * lapMs, to: null },
  ]
  const inLane = drivenCar({ ...given, visits: [entry] })
  // The line is in the pit lane, before the box.
  const standing = drivenCar({ ...given, visits, laps: laps(24) })
  const confirmed = drivenCar({ ...given, visits, laps: laps(24), stints })
  const at = [23.95, 24.4, 24.9].map(lap => lap * lapMs)
  const litres = [inLane, standing, confirmed].map((each, index) => plannedFill(each, at[index]!))
  expect(new Set(litres.map(each => each?.litres))).toEqual(new Set([37]))
})

test('nothing is planned for a full tank, or one of unknown size', () => {
  const given = { car, fills: [start], visits: [stop] }
  expect(plannedFill(drivenCar(given), 20.5 * lapMs)).toBeNull()
  const unknown = { ...given, car: { ...car, tankL: null }, laps: laps(20) }
  expect(plannedFill(drivenCar(unknown), 20.5 * lapMs)).toBeNull()
})

test('after a stop without litres the fuel is not known, and limits nothing', () => {
  const given = { car, laps: laps(24), fills: [start], visits: [left] }
  const nowMs = 24.5 * lapMs
  expect(carStrategy(drivenCar(given), nowMs)).toMatchObject({ lacksLitres: true, fuel: null })
  const none = { kind: 'part' as const, at: 20.5 * lapMs, litres: 0 }
  const entered = drivenCar({ ...given, fills: [start, none] })
  expect(carStrategy(entered, nowMs)).toMatchObject({ lacksLitres: false, pitReason: 'fuel' })
  expect(carStrategy(entered, nowMs).fuel?.leftL).toBeCloseTo(80 - 24.5 * 2, 6)
})

test('litres are missing only after a stop of the race, of a car with known fuel', () => {
  const given = { car, laps: laps(24), fills: [start], visits: [left] }
  expect(lacksLitres(drivenCar(given))).toBe(true)
  expect(lacksLitres(drivenCar({ ...given, visits: [stop] }))).toBe(false)
  expect(lacksLitres(drivenCar({ ...given, visits: [{ ...left, stoppedAt: null }] }))).toBe(false)
  expect(lacksLitres(drivenCar({ ...given, car: { ...car, burnL: null } }))).toBe(false)
  const before = { ...raceOf(300), startedAt: 22 * lapMs }
  expect(lacksLitres(drivenCar({ ...given, race: before }))).toBe(false)
  // Its finish, before "Race over" is pressed.
  const finished = { ...given, laps: laps(20), race: raceOf(19.5) }
  expect(lacksLitres(drivenCar(finished))).toBe(false)
  expect(lacksLitres(drivenCar({ ...finished, race: raceOf(30) }))).toBe(true)
})

test('litres of a stop are missing until they are entered, or the tank is full', () => {
  const second = { startedAt: 40.1, stoppedAt: 40.2, leftAt: 40.8, endedAt: 40.9 }
  const later = {
    startedAt: second.startedAt * lapMs,
    stoppedAt: second.stoppedAt * lapMs,
    leftAt: second.leftAt * lapMs,
    endedAt: second.endedAt * lapMs,
  }
  const given = { car, plan, race: raceOf(100), laps: laps(44), visits: [left, later] }
  const fill = (kind: 'part' | 'full', lap: number) => ({ kind, at: lap * lapMs, litres: 20 })
  const missing = (...fills: ReturnType<typeof fill>[]) => {
    const each = drivenCar({ ...given, fills: [start, ...fills] })
    const { fuel } = carStrategy(each, 44.5 * lapMs)
    expect(fuel === null).toBe(lacksLitres(each))
    return stopsWithoutLitres(each)
  }
  expect(missing()).toEqual([left, later])
  expect(missing(fill('part', 40.5))).toEqual([left])
  expect(missing(fill('part', 22), fill('part', 40.5))).toEqual([])
  expect(missing(fill('full', 40.5))).toEqual([])
  expect(missing(fill('full', 20.5))).toEqual([later])
  // Also while the car stands in the next one.
  const standing = { ...later, leftAt: null, endedAt: null }
  const inStop = drivenCar({ ...given, fills: [start], visits: [left, standing] })
  expect(stopsWithoutLitres(inStop)).toEqual([left])
})

test('the plan assumes a full tank since a stop without litres', () => {
  const given = { car, plan, race: raceOf(100), laps: laps(24), fills: [start], visits: [left] }
  const open = carStrategy(drivenCar(given), 24.5 * lapMs)
  const empty = { kind: 'part' as const, at: 20.5 * lapMs, litres: 0 }
  const entered = carStrategy(drivenCar({ ...given, fills: [start, empty] }), 24.5 * lapMs)
  expect(open.limitLeftMs).toBeGreaterThan(20 * lapMs)
  expect(entered.limitLeftMs).toBeLessThan(15 * lapMs)
})
