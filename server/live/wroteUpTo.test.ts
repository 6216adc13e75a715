import { expect, test } from 'vitest'
import { WroteUpTo } from './wroteUpTo.ts'

test('what was the newest at a beat is told once it is written, not before (F8)', () => {
  const recorder = { written: 0, dropped: 0 }
  const fixes = new WroteUpTo(recorder)
  fixes.note(1000, 7)
  expect(fixes.now()).toBeUndefined()
  fixes.note(2000, 9)
  recorder.written = 8
  expect(fixes.now()).toBe(1000)
  expect(fixes.now()).toBe(1000)
  recorder.written = 9
  expect(fixes.now()).toBe(2000)
})

test('after a fix that was not taken nothing more is promised (F8)', () => {
  const recorder = { written: 1, dropped: 0 }
  const fixes = new WroteUpTo(recorder)
  fixes.note(1000, 1)
  fixes.now()
  expect(fixes.now()).toBe(1000)
  fixes.stop()
  fixes.note(3000, 2)
  recorder.written = 2
  expect([fixes.now(), fixes.now()]).toEqual([1000, 1000])
})

test('nor after the recorder gave fixes up (F8)', () => {
  const recorder = { written: 0, dropped: 0 }
  const fixes = new WroteUpTo(recorder)
  fixes.note(1000, 1)
  fixes.now()
  Object.assign(recorder, { written: 5, dropped: 1 })
  expect([fixes.now(), fixes.now()]).toEqual([undefined, undefined])
})
