import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import type { RaceRules } from '#contract/shared/raceRules.ts'
import { shippedPacks } from '#racing/race/shippedPacks.ts'
import { rulesFields, rulesFrom, rulesValidators } from './rulesFields.ts'

const all: RaceRules = {
  name: '24 hours',
  source: { url: 'https://example.com/rules', checkedOn: '2026-11-25' },
  maxStintMs: 65 * minuteMs,
  yellowExtraMs: 5 * minuteMs,
  maxDriverMs: 14 * 60 * minuteMs,
  inARow: { maxMs: 195 * minuteMs, restMs: 60 * minuteMs },
  minStop: { ms: 122_000, counts: 'standing', onlyWithFuel: true },
  technicalStopMs: 4 * minuteMs,
  stops: { kind: 'count', count: 7 },
  minLapsBetweenStops: 2,
  pitSpeedKmh: 56,
}

test('rules that nobody changes are saved as they were', () => {
  for (const rules of [all, ...shippedPacks.map(pack => pack.rules)])
    expect(rulesFrom(rulesFields(rules))).toEqual(rules)
})

test('times are minutes, or minutes and seconds', () => {
  const fields = rulesFields(all)
  expect(fields).toMatchObject({ maxStint: '65', minStop: '2:02', maxDriver: '840' })
  expect(rulesFrom({ ...fields, maxStint: '65:30', minStop: '' })).toMatchObject({
    maxStintMs: 65.5 * minuteMs,
    minStop: null,
  })
})

test('wrong entries are named', () => {
  const fields = rulesFields(all)
  const { maxStint, rowMax, pitSpeed, rulesName } = rulesValidators
  expect(maxStint('', fields)).toBe(true)
  expect(maxStint('0:30', fields)).toContain('minutes')
  expect(maxStint('an hour', fields)).toContain('minutes')
  expect(rowMax('', fields)).toContain('both')
  expect(rowMax('', { ...fields, rowRest: '' })).toBe(true)
  expect(pitSpeed('500', fields)).toContain('150')
  expect(rulesName(' ')).not.toBe(true)
})
