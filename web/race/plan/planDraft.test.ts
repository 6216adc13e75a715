import { expect, test } from 'vitest'
import type { PlanChange } from '#contract/races.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import { readDraft, storeDraft } from './planDraft.ts'

const owner = { raceId: 'r1', carId: null }
const changes: PlanChange[] = [
  { kind: 'stints', stints: [{ number: 2, driverId: 'd1', lengthMs: null }] },
  { kind: 'stop', stopMs: null },
  { kind: 'reset', from: 3 },
]

test('changes that were not stored are kept for their plan only', () => {
  const texts = new Map<string, string>()
  storeDraft(memoryTextStore(texts), owner, changes)
  expect(readDraft(memoryTextStore(texts), owner)).toEqual(changes)
  expect(readDraft(memoryTextStore(texts), { ...owner, carId: 'c1' })).toEqual([])
  storeDraft(memoryTextStore(texts), { ...owner, raceId: 'r2' }, [])
  expect(readDraft(memoryTextStore(texts), owner)).toEqual(changes)
  storeDraft(memoryTextStore(texts), owner, [])
  expect(texts.size).toBe(0)
})

test.each([
  'x',
  '[]',
  '{"owner":"r1 ","changes":{}}',
  '{"owner":"r1 ","changes":[{"kind":"stints","stints":[{"number":"2"}]}]}',
  '{"owner":"r1 ","changes":[{"kind":"later"}]}',
])('a draft of another shape is ignored: %s', text => {
  const store = memoryTextStore(new Map([['pitboard.planDraft', text]]))
  expect(readDraft(store, owner)).toEqual([])
})
