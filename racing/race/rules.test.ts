import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { requiredStops, stintLimitMs, stopRule } from './rules.ts'
import { shippedPacks } from './shippedPacks.ts'

/** The rules of a series with limits of every kind. */
const spa: RaceRules = {
  ...noRules,
  name: '24 hours',
  maxStintMs: 65 * minuteMs,
  yellowExtraMs: 5 * minuteMs,
  maxDriverMs: 14 * 60 * minuteMs,
  inARow: { maxMs: 195 * minuteMs, restMs: 60 * minuteMs },
  minStop: { ms: 122_000, counts: 'lane', onlyWithFuel: false },
  technicalStopMs: 4 * minuteMs,
}

function pack(id: string): RaceRules {
  return shippedPacks.find(each => each.id === id)!.rules
}

test('AER requires a stop for each 90 minutes but one', () => {
  expect(requiredStops(pack('aer'), 9 * 60 * minuteMs)).toBe(5)
  expect(requiredStops(pack('aer'), 60 * minuteMs)).toBe(0)
  expect(stopRule(pack('aer'), false)).toEqual({ counts: 'lane', minimumMs: 180_000 })
})

test('a minimum for stops with fuel does not apply to others', () => {
  expect(stopRule(pack('champcar'), true)).toEqual({ counts: 'lane', minimumMs: 300_000 })
  expect(stopRule(pack('champcar'), false)).toBeNull()
  expect(stopRule(noRules, true)).toBeNull()
})

test('a number of stops does not depend on the length of the race', () => {
  expect(requiredStops(pack('msls'), null)).toBe(7)
  expect(requiredStops(spa, 24 * 60 * minuteMs)).toBe(0)
})

test('a stint may be longer after SC or FCY', () => {
  expect(stintLimitMs(spa, false)).toBe(65 * minuteMs)
  expect(stintLimitMs(spa, true)).toBe(70 * minuteMs)
  expect(stintLimitMs(noRules, true)).toBeNull()
})
