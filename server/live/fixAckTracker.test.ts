import { expect, test } from 'vitest'
import { FixAckTracker } from './fixAckTracker.ts'

test('the newest fix at a heartbeat is acknowledged once it is stored (F8)', () => {
  const recorder = { storedUpTo: 0, dropped: 0 }
  const fixes = new FixAckTracker(recorder)
  fixes.add(1000, 7)
  expect(fixes.storedUpTo()).toBeUndefined()
  fixes.add(2000, 9)
  recorder.storedUpTo = 8
  expect(fixes.storedUpTo()).toBe(1000)
  expect(fixes.storedUpTo()).toBe(1000)
  recorder.storedUpTo = 9
  expect(fixes.storedUpTo()).toBe(2000)
})

test('fixes stored between two heartbeats are acknowledged with the second one (F8)', () => {
  const recorder = { storedUpTo: 0, dropped: 0 }
  const fixes = new FixAckTracker(recorder)
  for (let number = 1; number <= 5; number++) {
    fixes.add(number * 1000, number)
    recorder.storedUpTo = number - 1
  }
  expect(fixes.storedUpTo()).toBe(3000)
})

test('nothing more is acknowledged after a refused fix (F8)', () => {
  const recorder = { storedUpTo: 1, dropped: 0 }
  const fixes = new FixAckTracker(recorder)
  fixes.add(1000, 1)
  fixes.storedUpTo()
  expect(fixes.storedUpTo()).toBe(1000)
  fixes.stop()
  fixes.add(3000, 2)
  recorder.storedUpTo = 2
  expect([fixes.storedUpTo(), fixes.storedUpTo()]).toEqual([1000, 1000])
})

test('nothing more is acknowledged after the recorder dropped fixes (F8)', () => {
  const recorder = { storedUpTo: 0, dropped: 0 }
  const fixes = new FixAckTracker(recorder)
  fixes.add(1000, 1)
  fixes.storedUpTo()
  Object.assign(recorder, { storedUpTo: 5, dropped: 1 })
  expect([fixes.storedUpTo(), fixes.storedUpTo()]).toEqual([undefined, undefined])
})
