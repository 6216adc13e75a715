import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { durationText, stopText } from './fieldTimes.ts'
import { endText } from './planSentence.ts'

test.each([
  [3.5, '3:30'],
  [4, '4 min'],
  [2.529, '2:31'],
  [10, '10 min'],
  [34.4, '34 min'],
  [59.6, '1 h'],
  [88, '88 min'],
  [105, '1 h 45 min'],
  [120, '2 h'],
])('a duration of %f minutes has its units', (minutes, text) => {
  expect(durationText(minutes * minuteMs)).toBe(text)
})

test('the time of a stop has its whole seconds, as the clock of the stop', () => {
  expect(stopText(107_900)).toBe('1:47')
  expect(stopText(3 * minuteMs)).toBe('3:00')
})

test('a stint a lap or more below its limit shows the limit as "up to"', () => {
  const end = { by: 'stint', ms: 5 * minuteMs } as const
  expect(endText(end, { laps: 4, ms: 4.7 * minuteMs })).toBe('5 min rule')
  expect(endText(end, { laps: 3, ms: 3.5 * minuteMs })).toBe('rule, up to 5 min')
  expect(endText(end, { laps: null, ms: 4.9 * minuteMs })).toBe('5 min rule')
})
