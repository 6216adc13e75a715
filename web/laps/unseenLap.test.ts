import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import { firstNumber, lapNumbers, unseenReason } from './unseenLap.ts'

const over = lap(4, 305, {
  startedAt: 200_000,
  kind: 'incomplete',
  isSeen: false,
  endsAtLine: true,
})

test('a lap over a gap has the numbers of all laps that the gap hid', () => {
  expect(firstNumber(over, lap(1, 113))).toBe(2)
  expect(lapNumbers(over, lap(1, 113))).toBe('2–4')
  expect(lapNumbers(over, lap(3, 113))).toBe('4')
  expect(lapNumbers(over, undefined)).toBe('1–4')
  expect(lapNumbers(lap(5, 113), over)).toBe('5')
  expect(lapNumbers(lap(0, 113), over)).toBe('')
})

test('a lap was not seen without a data link, or without a position', () => {
  const off = [{ from: 290_000, to: 480_000 }]
  const before = [{ from: 90_000, to: 190_000 }]
  expect(unseenReason(over, off)).toBe('link')
  expect(unseenReason(over, before)).toBe('unseen')
  const whole = { ...over, kind: 'full', endsAtLine: undefined } as const
  expect(unseenReason(whole, off)).toBe('link')
  expect(unseenReason(lap(2, 305), off)).toBeNull()
})
