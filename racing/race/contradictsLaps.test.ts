import { expect, test } from 'vitest'
import { contradictsLaps } from './contradictsLaps.ts'

const lap = (number: number) => ({
  sessionId: 's1',
  number,
  kind: 'full' as const,
  startedAt: (number - 1) * 100_000,
  timeMs: 100_000,
  isSeen: true,
  yellow: false,
})

/** Whether these laps, entered at a time, contradict those of a car that completes one each 100 s. */
const contradict = (laps: number, at: number, now = at + 60_000) =>
  contradictsLaps({ laps: [1, 2, 3, 4].map(lap) }, { laps, at }, now)

test('entered laps are compared with those that were completed at that time', () => {
  expect(contradict(2, 250_000)).toBe(false)
  expect(contradict(1, 250_000)).toBe(true)
  expect(contradict(3, 250_000)).toBe(true)
  // The car has driven on since.
  expect(contradict(2, 250_000, 400_000)).toBe(false)
})

test('a crossing while the laps are entered is no contradiction', () => {
  expect(contradict(2, 310_000)).toBe(false)
  expect(contradict(3, 310_000)).toBe(false)
  expect(contradict(2, 325_000)).toBe(true)
  expect(contradict(3, 290_000)).toBe(true)
})

test('nothing contradicts before a crossing is counted, or without laps', () => {
  expect(contradict(7, 250_000, 269_000)).toBe(false)
  expect(contradict(7, 250_000, 270_000)).toBe(true)
  expect(contradictsLaps({ laps: [] }, { laps: 7, at: 0 }, 60_000)).toBe(false)
})
