import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { driverTime } from './driverTime.ts'

const at = (minutes: number) => minutes * minuteMs

function raceWith(rules: Partial<typeof noRules>) {
  return {
    length: { in: 'time', ms: at(600) } as const,
    startedAt: 0,
    pauses: [],
    endedAt: null,
    rules: { ...noRules, ...rules },
  }
}

function timeOf(given: Parameters<typeof drivenCar>[0], driverId: string | null, nowMs: number) {
  return driverTime(drivenCar(given), driverId, nowMs)
}

const stints = [
  { driverId: 'ana', from: at(0), to: at(60) },
  { driverId: 'leo', from: at(60), to: at(90) },
  { driverId: 'ana', from: at(90), to: null },
]

test('without a race a driver has driven all stints of the session, without a limit', () => {
  expect(timeOf({ stints }, 'ana', at(100))).toEqual({ drivenMs: at(70), leftMs: null })
  expect(timeOf({ stints }, 'leo', at(100))).toEqual({ drivenMs: at(30), leftMs: null })
  expect(timeOf({ stints }, 'mia', at(100))).toEqual({ drivenMs: 0, leftMs: null })
})

test('stints without a driver are those of the person who started their session', () => {
  const own = [
    { sessionId: 's1', driverId: null, from: at(0), to: at(3) },
    { sessionId: 's2', driverId: null, from: at(3), to: null },
  ]
  expect(driverTime(drivenCar({ stints: own }), null, at(5), 's1').drivenMs).toBe(at(3))
  expect(driverTime(drivenCar({ stints: own }), null, at(5), 's2').drivenMs).toBe(at(2))
})

test('the limit of a driver counts all cars of the race, and goes below zero', () => {
  const race = raceWith({ maxDriverMs: at(90) })
  const otherCars = [{ driverId: 'ana', from: at(200), to: at(230) }]
  expect(timeOf({ stints, race }, 'ana', at(100))).toEqual({
    drivenMs: at(70),
    leftMs: at(20),
  })
  expect(timeOf({ stints, race, otherCars }, 'ana', at(240))).toEqual({
    drivenMs: at(60 + 150 + 30),
    leftMs: at(-150),
  })
})

test('a rest resets the driving time in a row', () => {
  const race = raceWith({ inARow: { maxMs: at(60), restMs: at(60) } })
  const before = stints.slice(0, 2)
  // Leo drives for 30 minutes: Ana has rested for 30, which is too short.
  expect(timeOf({ stints: before, race }, 'ana', at(90)).leftMs).toBe(0)
  expect(timeOf({ stints: before, race }, 'ana', at(120)).leftMs).toBe(at(60))
})

test('time in the pits belongs to no stint', () => {
  const visits = [{ startedAt: at(58), endedAt: at(63), stoppedAt: at(59), leftAt: at(62) }]
  expect(timeOf({ stints, visits }, 'leo', at(100)).drivenMs).toBe(at(27))
})
