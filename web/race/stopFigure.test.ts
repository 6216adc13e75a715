import { expect, test } from 'vitest'
import { stopFigure } from './stopFigure.ts'

const stop = {
  pitInAt: 0,
  elapsedMs: 40_000,
  minimumMs: 60_000,
  doneAt: 61_000,
  isDone: false,
  wayOutMs: 0,
}

test('without a known way to the exit the car is done after the minimum', () => {
  expect(stopFigure(stop, 40_000)).toMatchObject({ doneInName: 'Done in', doneIn: '0:21' })
  expect(stopFigure({ ...stop, isDone: true }, 61_000).doneName).toBe('Minimum stop done')
})

test('a known way to the exit counts, so the car leaves its box before the minimum', () => {
  const known = { ...stop, wayOutMs: 11_400, doneAt: 49_600 }
  expect(stopFigure(known, 40_000)).toMatchObject({ doneInName: 'Leave in', doneIn: '0:10' })
  expect(stopFigure({ ...known, isDone: true }, 49_600).doneName).toBe('then 0:11 to pit exit')
})
