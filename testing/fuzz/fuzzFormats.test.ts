import { expect, test } from 'vitest'
import { fuzzFormats } from './fuzzFormats.ts'

test('mutated recordings are read or refused, and a seed repeats them', () => {
  const [first, again] = [1, 2].map(() => fuzzFormats({ seed: 1, cases: 150 }))
  expect(first?.violations).toEqual([])
  expect(first?.refused).toBeGreaterThan(10)
  expect(first?.tried).toBe(150)
  expect(again).toEqual(first)
})
