import { expect, test, vi } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { KeptFixes } from './keptFixes.ts'

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

test('what the line took is on the device at once, and goes when the server has stored it (F8)', () => {
  const { fixes, kept, sent } = keeper()
  for (const at of [1, 2, 3]) fixes.note(fixAt(at), true)
  expect(sent).toEqual([1, 2, 3])

  fixes.heardWritten(2)
  fixes.note(fixAt(4), true)
  expect(sent).toEqual([3, 4])
  expect(kept).toEqual([])
})

test('a time that this line never sent says nothing (F8)', () => {
  const { fixes, sent } = keeper()
  fixes.note(fixAt(5), true)
  fixes.heardWritten(9)
  fixes.note(fixAt(6), true)
  expect(sent).toEqual([5, 6])
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
