import { expect, test } from 'vitest'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { pitRace } from '#testing/live/pitRace.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { DriveTimer } from '../laps/driveTimer.ts'
import { Stops } from '../laps/stops.ts'
import { ruleOfVisit } from './currentStop.ts'
import { isNoStop } from './noStop.ts'
import { earlyMs, type Visit } from './stopClock.ts'

const minStop = { ms: 60_000, counts: 'lane' as const, onlyWithFuel: false }
const withMinimum: RaceRules = { ...noRules, minStop }
const withStops: RaceRules = { ...noRules, stops: { kind: 'count', count: 2 } }

function carIn(rules: RaceRules, more: Parameters<typeof drivenCar>[0] = {}) {
  const length = { in: 'time' as const, ms: 3_600_000 }
  return drivenCar({
    race: { startedAt: 0, endedAt: null, pauses: [], length, rules },
    ...more,
  })
}

/** Returns the visits of a drive around Zolder as a phone finds them. */
function foundVisits(stopsS: readonly number[]): Visit[] {
  const laps = stopsS.flatMap(pitStopS => [{}, { pitStopS }])
  const timer = new DriveTimer(new CircuitFinder())
  const stops = new Stops()
  const { fixes } = pitRace([{}, {}, ...laps, {}, {}])
  for (const fix of fixes) stops.add(fix)
  for (let index = 0; index < fixes.length; ) index = timer.add(fixes[index]!) ? index + 1 : 0
  return stops
    .in(timer.pitVisits, false)
    .map(({ startedAtMs, endedAtMs, stoppedAtMs, leftAtMs }) => ({
      startedAt: startedAtMs,
      endedAt: endedAtMs,
      stoppedAt: stoppedAtMs,
      leftAt: leftAtMs,
    }))
}

test('a stop of some seconds is short, a shorter one and a drive-through are none', () => {
  const visits = foundVisits([15, 8, 1, 0])
  expect(visits).toHaveLength(4)
  const car = carIn(withMinimum, { visits })
  const isShort = visits.map(visit => earlyMs(visit, ruleOfVisit(car, visit)) !== null)
  expect(isShort).toEqual([true, true, false, false])
  expect(visits.map(visit => isNoStop(car, visit))).toEqual([false, false, true, true])
  expect(visits.map(visit => isNoStop(carIn(withStops), visit))).toEqual(isShort.map(is => !is))
  // Without a rule about stops nothing is named.
  const free = carIn(noRules)
  expect(visits.some(visit => earlyMs(visit, ruleOfVisit(free, visit)) !== null)).toBe(false)
  expect(visits.some(visit => isNoStop(free, visit))).toBe(false)
})

const visit = { startedAt: 600_000, endedAt: 636_000, stoppedAt: null, leftAt: null }

test('a visit in which fuel or a driver change was entered is a stop', () => {
  const fill = { at: 650_000, litres: 9, kind: 'part' as const }
  expect(isNoStop(carIn(withStops), visit)).toBe(true)
  expect(isNoStop(carIn(withStops, { visits: [visit], fills: [fill] }), visit)).toBe(false)
  const stints = (at: number) => [
    { driverId: 'theo', from: 0, to: at },
    { driverId: 'noor', from: at, to: null },
  ]
  expect(isNoStop(carIn(withStops, { stints: stints(620_000) }), visit)).toBe(false)
  expect(isNoStop(carIn(withStops, { stints: stints(590_000) }), visit)).toBe(true)
})

test('a visit before the start, after the end, or that lasts is not named', () => {
  const { race, ...car } = carIn(withMinimum)
  const during = (startedAt: number | null, endedAt: number | null) =>
    isNoStop({ ...car, race: race && { ...race, startedAt, endedAt } }, visit)
  expect(during(0, 700_000)).toBe(true)
  expect(during(0, 500_000)).toBe(false)
  expect(during(610_000, null)).toBe(false)
  expect(during(null, null)).toBe(false)
  expect(isNoStop(carIn(withMinimum), { ...visit, endedAt: null })).toBe(false)
})
