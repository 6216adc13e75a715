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

test('a receipt is the time from the line until the flag was painted', () => {
  const shown = { ...flag, shownAt: 10_900 }
  const receipt = { flag: 'Green', tookMs: null, ageMs: 5000, byHand: false }
  expect(flagReceipt({ flag: shown }, 15_000)).toEqual({ ...receipt, tookMs: 900 })
  expect(flagReceipt({ flag }, 15_000)).toEqual(receipt)
  expect(flagReceipt({ flag: { ...flag, byHand: null } }, 15_000)?.byHand).toBe(true)
  expect(flagReceipt({ flag: { ...flag, flag: ' ' } }, 15_000)).toBeNull()
  expect(flagReceipt({ flag: null }, 15_000)).toBeNull()
  expect(flagReceipt({ flag: undefined }, 15_000)).toBeNull()
})
