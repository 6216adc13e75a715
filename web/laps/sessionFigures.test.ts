import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import { medianMs, spreadMs } from './sessionFigures.ts'

test('median and spread are of the compared laps', () => {
  const laps = [110, 111, 112, 113, 124].map((seconds, n) => lap(n + 1, seconds))
  laps.push(lap(6, 300, { kind: 'pit' }), lap(7, 200, { yellow: true, marked: true }))
  expect(medianMs(laps)).toBe(112_000)
  // From 110.4 to 119.6.
  expect(spreadMs(laps)).toBeCloseTo(4600)
  expect(spreadMs(laps.slice(0, 2))).toBeNull()
  expect(medianMs([])).toBeNull()
})
