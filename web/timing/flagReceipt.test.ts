import { expect, test } from 'vitest'
import type { GlassFlag } from '#contract/glass.ts'
import { flagReceipt } from './flagReceipt.ts'

const flag: GlassFlag = {
  feed: 'f',
  change: 3,
  flag: 'Green ',
  since: 10_000,
  seenAt: 20_000,
  shownAt: null,
}
const live = { lastContactAt: 14_000, session: null }

test('a receipt is the time from the line until the flag was painted', () => {
  const shown = { ...flag, shownAt: 10_900 }
  const receipt = { flag: 'Green', tookMs: null, ageMs: 5000, byHand: false, isSilent: false }
  expect(flagReceipt({ flag: shown }, live, 15_000)).toEqual({ ...receipt, tookMs: 900 })
  expect(flagReceipt({ flag }, live, 15_000)).toEqual(receipt)
  expect(flagReceipt({ flag: { ...flag, byHand: null } }, live, 15_000)?.byHand).toBe(true)
  expect(flagReceipt({ flag: { ...flag, flag: ' ' } }, live, 15_000)).toBeNull()
  expect(flagReceipt({ flag: null }, live, 15_000)).toBeNull()
  expect(flagReceipt({ flag: undefined }, live, 15_000)).toBeNull()
})

test('a flag that was shown is not known on the glass of a silent phone', () => {
  const shown = { ...flag, shownAt: 10_900 }
  const receipt = flagReceipt({ flag: shown }, live, 30_000)
  expect(receipt).toMatchObject({ tookMs: null, isSilent: true })
})
