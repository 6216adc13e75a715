import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { localNow } from './clock.ts'
import { KeptFixes } from './keptFixes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function fixAt(at: number): Fix {
  return { at, latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }
}

/** A device: what it holds is what would be there after a reload. */
function keeper(isFull = false) {
  const kept: number[] = []
  const sent: number[] = []
  const reports: string[] = []
  const write = async (change: () => void) => {
    if (isFull) throw new Error('QuotaExceededError')
    change()
  }
  const fixes = new KeptFixes({
    keep: each => write(() => kept.push(...each.map(({ at }) => at))),
    keepSent: (fix, arrived) =>
      write(() => {
        for (const at of arrived) sent.splice(sent.indexOf(at), 1)
        sent.push(fix.at)
      }),
    takeBackSent: () => write(() => kept.push(...sent.splice(0))),
    report: problem => reports.push(problem),
  })
  return { fixes, kept, sent, reports }
}

test('what the line did not take is kept, what has no position is not (F7)', () => {
  const { fixes, kept, sent } = keeper()
  fixes.note(fixAt(1), false)
  fixes.note({ ...fixAt(2), latitude: null, longitude: null }, false)
  fixes.note({ ...fixAt(3), latitude: null, longitude: null }, true)
  expect({ kept, sent }).toEqual({ kept: [1], sent: [] })
})

test('what the line took is on the device at once, and goes when the server has had time to write it (F7)', () => {
  const { fixes, kept, sent } = keeper()
  fixes.note(fixAt(1), true)
  expect(sent).toEqual([1])
  vi.advanceTimersByTime(1000)
  fixes.note(fixAt(2), true)
  vi.advanceTimersByTime(2000)

  fixes.heardBeat(localNow())
  fixes.note(fixAt(3), true)
  expect(sent).toEqual([2, 3])
  expect(kept).toEqual([])
})

test('an answer to a beat says nothing of what was sent after it (F7)', () => {
  const { fixes, sent } = keeper()
  const beatAt = localNow()
  fixes.note(fixAt(1), true)
  vi.advanceTimersByTime(60_000)
  fixes.heardBeat(beatAt)
  fixes.note(fixAt(2), true)
  expect(sent).toEqual([1, 2])
})

test('of a line that fell, what is not known to have arrived counts as not sent, and only once (F7)', () => {
  const { fixes, kept, sent } = keeper()
  fixes.note(fixAt(1), true)
  fixes.note(fixAt(2), true)
  fixes.lineLost()
  fixes.lineLost()
  expect({ kept, sent }).toEqual({ kept: [1, 2], sent: [] })
})

test('a device that cannot keep any more is reported once', async () => {
  const { fixes, reports } = keeper(true)
  fixes.note(fixAt(1), false)
  fixes.note(fixAt(2), true)
  await vi.waitFor(() => expect(reports).toHaveLength(1))
  await Promise.resolve()
  expect(reports).toEqual(['A fix could not be kept: Error: QuotaExceededError'])
})
