import { expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import { exampleLap } from '#testing/exampleRace.ts'
import { lapAt, lapBounds, withHiddenLaps } from './lapTimes.ts'

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

test('a lap over a gap is the laps that the gap hid, with their numbers in the race', () => {
  const whole = exampleLap(1, { startedAt: 0, timeMs: 100_000, kind: 'full' })
  const over = { kind: 'incomplete', isSeen: false, endsAtLine: true } as const
  const all = [
    whole,
    exampleLap(4, { startedAt: 100_000, timeMs: 300_000, ...over }),
    exampleLap(5, { startedAt: 400_000, timeMs: 100_000, kind: 'full' }),
  ]
  const parts = withHiddenLaps(all)
  expect(parts.map(({ number, startedAt, timeMs }) => [number, startedAt, timeMs])).toEqual([
    [1, 0, 100_000],
    [2, 100_000, 100_000],
    [3, 200_000, 100_000],
    [4, 300_000, 100_000],
    [5, 400_000, 100_000],
  ])
  expect(lapAt(parts, 101_000)?.number).toBe(2)
  // The gap hid no line.
  const seen = [whole, exampleLap(2, { startedAt: 100_000, timeMs: 100_000, ...over })]
  expect(withHiddenLaps(seen)).toEqual(seen)
})
