import { expect, test } from 'vitest'
import { stopFigure } from './stopFigure.ts'

const stop = {
  pitInAt: 0,
  elapsedMs: 40_000,
  minimumMs: 60_000,
  doneAt: 61_000,
  isDone: false,
  wayOutMs: 0,
  hasLeftBox: false,
}

test('without a known way to the exit a car is done after the minimum', () => {
  expect(stopFigure(stop, 40_000).rest).toEqual({ name: 'Done in', value: '0:21' })
  const done = stopFigure({ ...stop, isDone: true }, 61_000)
  expect(done.rest).toEqual({ name: 'Minimum stop done', value: 'DONE' })
})

test('a known way to the exit counts, so a car leaves its box before the minimum', () => {
  const known = { ...stop, wayOutMs: 11_400, doneAt: 49_600 }
  expect(stopFigure(known, 40_000).rest).toEqual({ name: 'Leave in', value: '0:10' })
  const done = { ...known, isDone: true }
  expect(stopFigure(done, 49_600).rest).toEqual({ name: 'then 0:11 to pit exit', value: 'LEAVE' })
  const left = { ...done, hasLeftBox: true }
  expect(stopFigure(left, 55_000).rest).toEqual({ name: 'on the way out', value: 'DONE' })
})
