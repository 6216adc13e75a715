import { expect, test } from 'vitest'
import { mergedCorrection } from './mergedCorrection.ts'

const was = { driverId: 'leo', from: 1000 }

test('a correction stores only what its author changed', () => {
  const stored = { driverId: 'mia', from: 1000 }
  const moved = { driverId: 'leo', from: 2000 }
  expect(mergedCorrection(stored, moved, was)).toEqual({ driverId: 'mia', from: 2000 })
  expect(mergedCorrection(stored, moved, undefined)).toEqual(moved)
})

test('a repeated correction changes nothing, and one of the same value is refused', () => {
  const moved = { driverId: 'leo', from: 2000 }
  expect(mergedCorrection(moved, moved, was)).toEqual(moved)
  expect(() => mergedCorrection({ driverId: 'leo', from: 3000 }, moved, was)).toThrow(
    expect.objectContaining({ code: 'invalid-input', detail: 'entry-changed' }),
  )
})
