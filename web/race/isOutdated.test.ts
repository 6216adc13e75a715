import { expect, test } from 'vitest'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { wholeLaps } from '#testing/storedCarRace.ts'
import { isOutdated } from './isOutdated.ts'

test('figures are outdated from data link off to the first crossing after it is on', () => {
  const laps = wholeLaps(3)
  expect(isOutdated(exampleSession, laps)).toBe(false)
  const off = { ...exampleSession, dataLink: false, dataLinkOff: { at: 310_000, by: null } }
  expect(isOutdated(off, laps)).toBe(true)
  const on = { ...exampleSession, dataLinkOn: { at: 520_000, by: null } }
  expect(isOutdated(on, laps)).toBe(true)
  const untilLine = { kind: 'incomplete' as const, endsAtLine: true as const, isSeen: false }
  const overGap = { number: 6, startedAt: 300_000, timeMs: 300_000, yellow: false, ...untilLine }
  expect(isOutdated(on, [...laps, overGap])).toBe(false)
})

test('without laps a data link that is on again leaves nothing outdated', () => {
  const on = { ...exampleSession, dataLinkOn: { at: 520_000, by: null } }
  expect(isOutdated(on, [])).toBe(false)
  expect(isOutdated(on, undefined)).toBe(false)
  expect(isOutdated({ ...on, lapTiming: false }, wholeLaps(3))).toBe(false)
})
