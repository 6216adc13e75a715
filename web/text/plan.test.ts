import { expect, test } from 'vitest'
import { planText } from './plan.ts'

test('a pit window of one lap names it once', () => {
  const windows = [
    [1, 1],
    [2, 2],
    [1, 3],
    [0, 1],
    [0, 3],
    [0, 0],
  ] as const
  expect(windows.map(([from, to]) => planText.windowLaps(from, to))).toEqual([
    'Pit window in 1 lap.',
    'Pit window in 2 laps.',
    'Pit window in 1 to 3 laps.',
    'Pit window open, for 1 lap.',
    'Pit window open, for 3 laps.',
    'The pit window closes with this lap.',
  ])
})
