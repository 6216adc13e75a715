import { expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import { lapAt, lapBounds } from './lapTimes.ts'

const laps = [0, 1, 2].map(number => ({ number, startedAt: number * 100_000, timeMs: 100_000 }))
const at = (time: number) => lapAt(laps as Lap[], time)?.number ?? null

test('a time belongs to the lap that has begun', () => {
  expect([-1, 0, 99_999, 100_000, 299_999, 300_000].map(at)).toEqual([null, 0, 0, 1, 2, null])
})

test('the Page keys jump from one start of a lap to the next', () => {
  const bounds = (time: number) => lapBounds(laps as Lap[], time)
  expect(bounds(150_000)).toEqual({ previous: 100_000, next: 200_000 })
  // Pressed again, it moves one lap further.
  expect(bounds(100_500)).toEqual({ previous: 0, next: 200_000 })
  expect(bounds(250_000)).toEqual({ previous: 200_000, next: 300_000 })
  expect(bounds(0)).toEqual({ previous: null, next: 100_000 })
  expect(lapBounds([], 5)).toEqual({ previous: null, next: null })
})
