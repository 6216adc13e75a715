import { expect, test } from 'vitest'
import { earlyFigure, shortStop } from './earlyFigure.ts'

test('the time of a short stop and what it lacks add up to the minimum', () => {
  const visit = { startedAt: 1000, stoppedAt: 5000, leftAt: 38_000, endedAt: 41_600 }
  const rule = { counts: 'lane' as const, minimumMs: 50_000 }
  expect(earlyFigure(visit, rule, false)).toEqual({
    left: 'Left 0:10 early',
    of: '0:40 of 0:50',
  })
  expect(shortStop(9400, 50_000)).toEqual({ time: '0:40', missing: '0:10' })
  expect(shortStop(200, 180_000)).toEqual({ time: '2:59', missing: '0:01' })
  expect(shortStop(10_000.000_1, 50_000)).toEqual({ time: '0:40', missing: '0:10' })
})
