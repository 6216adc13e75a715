import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { driverTime } from './driverTime.ts'

const minuteMs = 60_000
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

const stints = [
  { driverId: 'ana', from: at(0), to: at(60) },
  { driverId: 'leo', from: at(60), to: at(90) },
  { driverId: 'ana', from: at(90), to: null },
]

test('without a race a driver has driven all stints of the session, without a limit', () => {
  expect(driverTime({ stints }, 'ana', at(100))).toEqual({ drivenMs: at(70), leftMs: null })
  expect(driverTime({ stints }, 'leo', at(100))).toEqual({ drivenMs: at(30), leftMs: null })
  expect(driverTime({ stints }, 'mia', at(100))).toEqual({ drivenMs: 0, leftMs: null })
})

test('stints without a driver are those of the person who started the session', () => {
  const own = [{ driverId: null, from: at(0), to: null }]
  expect(driverTime({ stints: own, starterId: 'leo' }, 'leo', at(5)).drivenMs).toBe(at(5))
  expect(driverTime({ stints: own }, null, at(5)).drivenMs).toBe(at(5))
  // A stint of another session without a driver counts for nobody.
  const otherStints = [{ driverId: null, from: at(-9), to: at(-1), isSameCar: false }]
  expect(driverTime({ stints: own, otherStints }, null, at(5)).drivenMs).toBe(at(5))
})

test('the limit of a driver counts all cars of the race, and goes below zero', () => {
  const race = raceWith({ maxDriverMs: at(90) })
  const otherStints = [{ driverId: 'ana', from: at(200), to: at(230), isSameCar: false }]
  expect(driverTime({ stints, race }, 'ana', at(100))).toEqual({
    drivenMs: at(70),
    leftMs: at(20),
  })
  expect(driverTime({ stints, race, otherStints }, 'ana', at(240))).toEqual({
    drivenMs: at(60 + 150 + 30),
    leftMs: at(-150),
  })
})

test('a rest resets the driving time in a row', () => {
  const race = raceWith({ inARow: { maxMs: at(60), restMs: at(60) } })
  const before = stints.slice(0, 2)
  // Leo drives for 30 minutes: Ana has rested for 30, which is too short.
  expect(driverTime({ stints: before, race }, 'ana', at(90)).leftMs).toBe(0)
  expect(driverTime({ stints: before, race }, 'ana', at(120)).leftMs).toBe(at(60))
})

test('time in the pits belongs to no stint', () => {
  const pitVisits = [{ startedAt: at(58), endedAt: at(63), stoppedAt: at(59), leftAt: at(62) }]
  expect(driverTime({ stints, pitVisits }, 'leo', at(100)).drivenMs).toBe(at(27))
})
