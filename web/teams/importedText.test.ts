import { expect, test } from 'vitest'
import { importedText } from './importedText.ts'

const imported = {
  moreSessionIds: [] as string[],
  sessionId: 's',
  positions: 120,
  isNew: true,
  added: 120,
  positionsStay: true,
  keptPerSecond: null,
  addedWeeks: 0,
  lapTimingChanged: false,
}

test('a partial import is reported as partial', () => {
  expect(importedText(imported, true)).toBe('120 positions. The laps appear in a few seconds.')
  expect(importedText({ ...imported, keptPerSecond: 5 }, true)).toBe(
    '120 positions. The laps appear in a few seconds. The file has more: 5 a second were kept.',
  )
  expect(importedText({ ...imported, keptPerSecond: 10 }, false)).toContain('10 a second were kept')
})

test('an import of many positions shows how long its laps take', () => {
  const within = (positions: number) => importedText({ ...imported, positions }, true)
  expect(within(20_001)).toContain('laps appear within a minute.')
  expect(within(232_133)).toContain('laps appear within 3 minutes.')
})

test('an import that stored nothing names no positions', () => {
  const old = { ...imported, positionsStay: false, keptPerSecond: 10 }
  expect(importedText(old, false)).not.toContain('a second')
  expect(importedText({ ...imported, isNew: false, added: 0 }, true)).toContain('already imported')
})

test('an import of a known recording shows what happened to its laps', () => {
  const known = { ...imported, isNew: false, added: 0 }
  expect(importedText(known, false)).not.toContain('lap')
  const changed = { ...known, lapTimingChanged: true }
  expect(importedText(changed, false)).toContain('no lap timing now: its laps were deleted')
  expect(importedText(changed, true)).toContain('has lap timing now')
})

test('an import that completes an earlier one names the missing positions', () => {
  const completed = { ...imported, isNew: false, added: 70 }
  expect(importedText(completed, true)).toContain('Its 70 missing positions were added.')
})

test('an import of several drives names their number', () => {
  expect(importedText({ ...imported, moreSessionIds: ['t', 'u'] }, true)).toContain('3 drives')
  expect(importedText(imported, true)).not.toContain('drives')
})
