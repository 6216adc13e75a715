import { expect, test } from 'vitest'
import { signedTimeLeft, timeLeft } from './timeLeft.ts'

test('a time runs down to 0:00 at its end, and counts up beyond it', () => {
  expect(timeLeft(60_001)).toBe('1:01')
  expect(timeLeft(0)).toBe('0:00')
  expect(timeLeft(-1500)).toBe('0:01')
  expect(signedTimeLeft(1500)).toBe('0:02')
  expect(signedTimeLeft(-1500)).toBe('−0:01')
})
