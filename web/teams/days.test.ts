import { expect, test } from 'vitest'
import { dayStart } from './days.ts'

test('a day starts at its midnight in this time zone, and the next one after it', () => {
  expect(dayStart('2026-05-31')).toBe(new Date(2026, 4, 31).getTime())
  expect(dayStart('2026-05-31', 1)).toBe(new Date(2026, 5, 1).getTime())
})

test('text other than a day since 1970 has no start', () => {
  for (const text of ['', 'today', '2026-5-1', '1900-01-01', '2026-05-31T10:00'])
    expect(dayStart(text)).toBeUndefined()
})
