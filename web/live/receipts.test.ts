import { expect, test } from 'vitest'
import { memoryTextStore, noTextStore } from '#testing/textStore.ts'
import { DueReceipts } from './receipts.ts'

const shown = { sessionId: 's1', version: 3, stage: 'shown', at: 5 } as const
const none = { reachedAt: null, shownAt: null, copiedAt: null }

/** What another page of the same device would send. */
function afterReload(texts: Map<string, string>, userId = 'u1') {
  const due = new DueReceipts(memoryTextStore(texts), userId)
  due.load('s1')
  return due.unsent('s1')
}

test('another person on the same device sends none of them', () => {
  const texts = new Map<string, string>()
  new DueReceipts(memoryTextStore(texts), 'u1').add(shown)
  expect(afterReload(texts, 'u2')).toEqual([])
  new DueReceipts(memoryTextStore(texts), 'u2').dropSession('s1')
  expect(afterReload(texts)).toEqual([shown])
})

test('pages of one device do not overwrite each other', () => {
  const texts = new Map<string, string>()
  const one = new DueReceipts(memoryTextStore(texts), 'u1')
  const two = new DueReceipts(memoryTextStore(texts), 'u1')
  one.add(shown)
  two.add({ ...shown, version: 4 })
  one.settle('s1', 3, { ...none, shownAt: 5 })
  expect(afterReload(texts).map(({ version }) => version)).toEqual([4])
})

test('storage stays bounded, the oldest go first', () => {
  const texts = new Map<string, string>()
  const due = new DueReceipts(memoryTextStore(texts), 'u1')
  for (let version = 1; version <= 400; version++) due.add({ ...shown, version })
  expect(afterReload(texts).map(({ version }) => version)).toEqual(
    Array.from({ length: 300 }, (_, n) => n + 101),
  )
})

test('a page without storage keeps them as long as it lives', () => {
  const due = new DueReceipts(noTextStore, 'u1')
  due.add(shown)
  due.load('s1')
  expect(due.unsent('s1')).toEqual([shown])
})

test.each([
  '',
  '7',
  '{}',
  '[null, 7, {"userId":"u1"}]',
  '[{"userId":"u1","sessionId":"s1","version":3,"stage":"toString","at":5}]',
  '[{"userId":"u1","sessionId":"s1","version":3,"stage":"shown","at":5,"unsynced":{}}]',
])('ignores what it did not store: %s', text => {
  expect(afterReload(new Map([['pitboard.receipts', text]]))).toEqual([])
})
