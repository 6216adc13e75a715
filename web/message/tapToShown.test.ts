import { expect, test } from 'vitest'
import type { LoggedMessage } from '#contract/messages.ts'
import { tapToShown } from './tapToShown.ts'

function taken(tookMs: number | null): LoggedMessage {
  return {
    version: 1,
    type: 'Pit',
    pressedAt: 1000,
    sentAt: 1010,
    reachedAt: null,
    shownAt: tookMs === null ? null : 1000 + tookMs,
    copiedAt: null,
    expiresAt: null,
    sentBy: null,
  }
}

test('without a message that was pressed and shown there is nothing to measure', () => {
  expect(tapToShown([])).toBeNull()
  expect(tapToShown([taken(null)])).toBeNull()
  expect(tapToShown([{ ...taken(100), carriedOver: true }])).toBeNull()
})

test('median and 95th percentile use the nearest rank', () => {
  const log = Array.from({ length: 100 }, (_, index) => taken((100 - index) * 10))
  expect(tapToShown([...log, taken(null)])).toEqual({ count: 100, medianMs: 500, p95Ms: 950 })
  expect(tapToShown([taken(300)])).toEqual({ count: 1, medianMs: 300, p95Ms: 300 })
})
