import { expect, test } from 'vitest'
import { gapFrom } from './gapFrom.ts'

test.each([
  ['12.4', 0, 12_400],
  [' 0,35 ', 0, 350],
  ['75', 0, 75_000],
  ['1:05.2', 0, 65_200],
  ['2L', 2, 0],
  ['1 lap', 1, 0],
])('%j is a gap of %i laps and %i ms', (text, laps, ms) => {
  expect(gapFrom(text)).toEqual({ laps, ms })
})

test.each(['', 'x', '-1', '1:5', '1:65', '0L', '1e3', '99999', '12.4.1', '9999L9'])(
  '%j is not a gap',
  text => {
    expect(gapFrom(text)).toBeNull()
  },
)
