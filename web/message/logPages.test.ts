import { expect, test } from 'vitest'
import type { LoggedMessage } from '#contract/messages.ts'
import { withEarlier, withNewest, withReread } from './logPages.ts'

/** Messages with these versions; `shownAt` distinguishes two reads of the same message. */
function log(from: number, to: number, shownAt: number | null = null): LoggedMessage[] {
  return Array.from({ length: from - to + 1 }, (_, n) => ({
    version: from - n,
    type: 'Pit',
    pressedAt: 1,
    sentAt: 1,
    reachedAt: null,
    shownAt,
    copiedAt: null,
    expiresAt: null,
    sentBy: null,
  }))
}

test('earlier pages stay when the newest page is refetched', () => {
  expect(withNewest(log(10, 1), log(12, 8, 5))).toEqual([...log(12, 8, 5), ...log(7, 1)])
  expect(withNewest([], log(3, 1))).toEqual(log(3, 1))
  expect(withNewest(log(3, 1), [])).toEqual([])
})

test('earlier pages are dropped when messages in between are missing', () => {
  expect(withNewest(log(10, 1), log(20, 12))).toEqual(log(20, 12))
  expect(withNewest(log(10, 1), log(20, 11))).toEqual(log(20, 1))
})

test('an earlier page is added once', () => {
  const loaded = withEarlier(log(10, 6), log(5, 3))
  expect(loaded).toEqual(log(10, 3))
  expect(withEarlier(loaded, log(5, 3))).toEqual(loaded)
})

test('messages that were read again replace those that are loaded', () => {
  expect(withReread(log(10, 1), log(7, 4, 5))).toEqual([
    ...log(10, 8),
    ...log(7, 4, 5),
    ...log(3, 1),
  ])
  expect(withReread(log(2, 1), log(4, 3))).toEqual(log(2, 1))
})
