import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { KeptFixes } from './keptFixes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function fixAt(at: number): Fix {
  return { at, latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }
}

function keeper(isFull = false) {
  const kept: [string, number[]][] = []
  const reports: string[] = []
  const fixes = new KeptFixes({
    async keep(sessionId, each) {
      if (isFull) throw new Error('QuotaExceededError')
      kept.push([sessionId, each.map(({ at }) => at)])
    },
    report: problem => reports.push(problem),
  })
  return { fixes, kept, reports }
}

test('what the line did not take is kept, what has no position is not (F7)', () => {
  const { fixes, kept } = keeper()
  fixes.note('s1', fixAt(1), false)
  fixes.note('s1', { ...fixAt(2), latitude: null, longitude: null }, false)
  expect(kept).toEqual([['s1', [1]]])
})

test('what was sent in the last seconds before a line fell is kept too, and only once (F7)', () => {
  const { fixes, kept } = keeper()
  fixes.note('s1', fixAt(1), true)
  vi.advanceTimersByTime(6000)
  fixes.note('s1', fixAt(2), true)
  fixes.note('s2', fixAt(3), true)
  fixes.note('s1', fixAt(4), true)
  fixes.lineLost()
  fixes.lineLost()
  expect(kept).toEqual([
    ['s1', [2, 4]],
    ['s2', [3]],
  ])
})

test('a device that cannot keep any more is reported once', async () => {
  const { fixes, reports } = keeper(true)
  fixes.note('s1', fixAt(1), false)
  fixes.note('s1', fixAt(2), false)
  await vi.waitFor(() => expect(reports).toHaveLength(1))
  await Promise.resolve()
  expect(reports).toEqual(['A fix could not be kept: Error: QuotaExceededError'])
})
