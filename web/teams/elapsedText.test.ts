import { expect, test } from 'vitest'
import { elapsedText } from './elapsedText.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

// spec: TH-7
test('less than an hour is shown as minutes and seconds', () => {
  expect(elapsedText(0)).toBe('00:00')
  expect(elapsedText(7 * second)).toBe('00:07')
  expect(elapsedText(24 * minute + 7 * second)).toBe('24:07')
  expect(elapsedText(hour - 1)).toBe('59:59')
})

test('an hour or more is shown with hours', () => {
  expect(elapsedText(hour)).toBe('01:00:00')
  expect(elapsedText(hour + 52 * minute + 40 * second)).toBe('01:52:40')
  expect(elapsedText(24 * hour + 3 * second)).toBe('24:00:03')
  expect(elapsedText(100 * hour)).toBe('100:00:00')
})

test('seconds are rounded down', () => {
  expect(elapsedText(1999)).toBe('00:01')
})

test('clock differences never show a negative duration', () => {
  expect(elapsedText(-400)).toBe('00:00')
  expect(elapsedText(-5 * minute)).toBe('00:00')
})
