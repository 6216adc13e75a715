import { expect, test } from 'vitest'
import { dayOf, startFrom } from './startTime.ts'

test('a day and a time of 24 hours are one start, and its day is read back', () => {
  const start = startFrom('2026-11-28', '14:00')
  expect(start).toBe(new Date(2026, 10, 28, 14, 0).getTime())
  expect(dayOf(Number(start))).toBe('2026-11-28')
  expect(startFrom('2026-11-28', ' 9.30')).toBe(new Date(2026, 10, 28, 9, 30).getTime())
})

test.each(['0920', '920', '09:20', '9.20'])('a start at %s is at 09:20', time => {
  expect(startFrom('2026-11-28', time)).toBe(new Date(2026, 10, 28, 9, 20).getTime())
})

test('a start needs a valid day and time, or neither', () => {
  expect(startFrom('', ' ')).toBeNull()
  expect(startFrom('', '14:00')).toBe('no-day')
  for (const time of ['', '14', '2400', '24:00', '960', '14:60', '2 pm'])
    expect(startFrom('2026-11-28', time)).toBe('no-time')
})
