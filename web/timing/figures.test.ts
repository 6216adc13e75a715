import { expect, test } from 'vitest'
import { clockText, flagTone, gapText, lineAgeText } from './figures.ts'

test('gaps are laps, or seconds', () => {
  expect(gapText({ laps: 1, ms: 4000 })).toBe('1 lap')
  expect(gapText({ laps: 2, ms: 0 })).toBe('2 laps')
  expect(gapText({ laps: 0, ms: 41_240 })).toBe('+41.2')
  expect(gapText({ laps: 0, ms: 92_400 })).toBe('+1:32.4')
  expect(gapText(null)).toBe('not known')
})

test('times have their units', () => {
  expect(clockText(12_258_000)).toBe('3:24:18')
  expect([600, 42_500, 180_000].map(lineAgeText)).toEqual(['0.6 s', '42 s', '3 min'])
})

test('a flag has the colour of its word, also if the word is cut', () => {
  expect(['Green ', 'Yellow', 'RED', 'Checke', 'Finish', 'Code'].map(flagTone)).toEqual([
    'go',
    'pit',
    'abort',
    'finish',
    'finish',
    null,
  ])
  expect(['FCY', 'SC', 'Code 60', 'Score'].map(flagTone)).toEqual(['pit', 'pit', 'code60', null])
  expect([flagTone(null), flagTone(' ')]).toEqual([null, null])
})
