import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import { barsOf } from './bars.ts'

test('a lap after the flag has no bar', () => {
  const laps = [lap(0, 60, { kind: 'out' }), lap(1, 96), lap(2, 95), lap(3, 97)]
  const bars = barsOf(laps)
  expect(bars.map(({ kind }) => kind)).toEqual(['faster', 'faster', 'slower'])
  expect(barsOf([...laps, lap(0, 120, { startedAt: 400_000, kind: 'full' })])).toEqual(bars)
})
