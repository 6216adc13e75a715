import { expect, test } from 'vitest'
import { fuzzFormats } from './fuzzFormats.ts'
import { fuzzTiming } from './fuzzTiming.ts'

test('mutated recordings are read or refused, and a seed repeats them', () => {
  const [first, again] = [1, 2].map(() => fuzzFormats({ seed: 1, cases: 150 }))
  expect(first?.violations).toEqual([])
  expect(first?.refused).toBeGreaterThan(10)
  expect(first?.tried).toBe(150)
  expect(again).toEqual(first)
})

test('mutated feeds of official timing are read or skipped, and a seed repeats them', () => {
  const [first, again] = [1, 2].map(() => fuzzTiming({ seed: 1, cases: 500 }))
  expect(first?.violations).toEqual([])
  expect(first?.refused).toBeGreaterThan(50)
  expect(first?.tried).toBe(500)
  expect(again).toEqual(first)
})
