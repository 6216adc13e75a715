import { expect, test } from 'vitest'
import { memoryTextStore, noTextStore } from '#testing/files/textStore.ts'
import type { TextStore } from '../textStore.ts'
import { DueReceipts } from './receipts.ts'

const shown = { sessionId: 's1', version: 3, stage: 'shown', at: 5 } as const
const none = { reachedAt: null, shownAt: null, copiedAt: null }

function dueReceipts(store: TextStore, userId: string, reports: string[] = []) {
  return new DueReceipts(store, userId, problem => void reports.push(problem))
}

/** The unsent receipts of another page on the same device. */
function afterReload(texts: Map<string, string>, userId = 'u1') {
  const due = dueReceipts(memoryTextStore(texts), userId)
  due.load('s1')
  return due.unsent('s1')
}

test('another user on the same device sends none of them', () => {
  const texts = new Map<string, string>()
  dueReceipts(memoryTextStore(texts), 'u1').add(shown)
  expect(afterReload(texts, 'u2')).toEqual([])
  dueReceipts(memoryTextStore(texts), 'u2').dropSession('s1')
  expect(afterReload(texts)).toEqual([shown])
})

test('pages of one device do not overwrite each other', () => {
  const texts = new Map<string, string>()
  const one = dueReceipts(memoryTextStore(texts), 'u1')
  const two = dueReceipts(memoryTextStore(texts), 'u1')
  one.add(shown)
  two.add({ ...shown, version: 4 })
  one.acknowledge('s1', 3, { ...none, shownAt: 5 })
  expect(afterReload(texts).map(({ version }) => version)).toEqual([4])
})

test('memory and storage hold 300, drop the oldest and report it', () => {
  const texts = new Map<string, string>()
  const reports: string[] = []
  const due = dueReceipts(memoryTextStore(texts), 'u1', reports)
  for (let version = 1; version <= 300; version++) due.add({ ...shown, version })
  expect(reports).toEqual([])
  for (let version = 301; version <= 400; version++) due.add({ ...shown, version })
  const newest = Array.from({ length: 299 }, (_, n) => n + 101)
  for (const unsent of [due.unsent('s1'), afterReload(texts)])
    expect(unsent.map(({ version }) => version)).toEqual([400, ...newest])
  expect(reports).toContain('The oldest receipts were dropped: more than 300 are due')
})

test('receipts of another session dropped from a full storage are reported', () => {
  const reports: string[] = []
  const texts = new Map<string, string>()
  const earlier = dueReceipts(memoryTextStore(texts), 'u1')
  for (let version = 1; version <= 300; version++)
    earlier.add({ ...shown, sessionId: 's0', version })
  dueReceipts(memoryTextStore(texts), 'u1', reports).add(shown)
  expect(reports).toHaveLength(1)
  expect(afterReload(texts)).toEqual([shown])
})

test("the newest message's receipts are sent first, then the oldest", () => {
  const due = dueReceipts(noTextStore, 'u1')
  due.add(shown)
  due.add({ ...shown, version: 4 })
  due.add({ ...shown, version: 5 })
  due.add({ ...shown, version: 5, stage: 'copied' })
  expect(due.unsent('s1').map(({ version }) => version)).toEqual([5, 5, 3, 4])
})

test('a page without storage keeps its receipts until it is closed', () => {
  const due = dueReceipts(noTextStore, 'u1')
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
