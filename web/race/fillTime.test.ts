import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { fillOfSameStop, fillTime } from './fillTime.ts'

const visit = { startedAt: 10 * minuteMs, endedAt: 14 * minuteMs, leftAt: 13 * minuteMs }

test('a fill that is entered after the stop happened in it', () => {
  expect(fillTime([visit], [], 20 * minuteMs)).toBe(13 * minuteMs)
  expect(fillTime([{ ...visit, leftAt: null }], [], 20 * minuteMs)).toBe(14 * minuteMs)
})

test('a fill during the stop is now', () => {
  const open = { ...visit, endedAt: null, leftAt: null }
  expect(fillTime([open], [], 12 * minuteMs)).toBe(12 * minuteMs)
})

test('a second fill, one long after the stop, and one without a stop are now', () => {
  expect(fillTime([visit], [{ at: 12 * minuteMs }], 20 * minuteMs)).toBe(20 * minuteMs)
  expect(fillTime([visit], [], 40 * minuteMs)).toBe(40 * minuteMs)
  expect(fillTime([], [], 40 * minuteMs)).toBe(40 * minuteMs)
})

test('a fill that another member entered at the same stop is found', () => {
  const fill = (minutes: number, kind: 'start' | 'part' = 'part') => ({
    at: minutes * minuteMs,
    kind,
  })
  const found = (fills: ReturnType<typeof fill>[], minutes: number, visits = [visit]) =>
    fillOfSameStop(visits, fills, minutes * minuteMs)
  const one = fill(12)
  expect(found([fill(2), one], 13)).toBe(one)
  expect(found([fill(2), one], 25)).toBe(one)
  expect(found([fill(2)], 13)).toBeNull()
  expect(found([one], 40)).toBeNull()
  // Without a known visit.
  expect(found([one], 20, [])).toBe(one)
  expect(found([one], 23, [])).toBeNull()
  expect(found([fill(12, 'start')], 13, [])).toBeNull()
})
