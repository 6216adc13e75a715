import { expect, test } from 'vitest'
import { ageText, counterText, tookText } from '#web/ui/ages.ts'

test('durations have tenths below ten seconds, ages count seconds, then minutes', () => {
  expect([180, 9940, 9960, 12_400].map(tookText)).toEqual(['0.2 s', '9.9 s', '10 s', '12 s'])
  expect(tookText(1_293_000)).toBe('21 min')
  expect([0, 42_900, 119_999, 120_000, 200_000].map(ageText)).toEqual([
    '0 s',
    '42 s',
    '119 s',
    '2 min',
    '3 min',
  ])
  expect([-1000, 65_900, 3_725_000].map(counterText)).toEqual(['0:00', '1:05', '1:02:05'])
})
