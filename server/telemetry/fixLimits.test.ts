import { expect, test } from 'vitest'
import { FixLimits } from './recordFix.ts'

test('a receiver at 10 Hz loses nothing, even after 10 s without a network (F10)', () => {
  const limits = new FixLimits(10)
  const lost = []
  for (let ms = 0; ms <= 600_000; ms += 100) if (!limits.allows('car', undefined, ms)) lost.push(ms)
  for (let n = 0; n < 100; n++) if (!limits.allows('car', undefined, 610_000)) lost.push(n)
  expect(lost).toEqual([])
})

test('a session at 50 Hz gets ten fixes a second over all its connections (F10)', () => {
  const limits = new FixLimits(10)
  let allowed = 0
  for (let ms = 0; ms < 60_000; ms += 20) if (limits.allows('car', undefined, ms)) allowed += 1
  expect(allowed).toBeGreaterThanOrEqual(690)
  expect(allowed).toBeLessThanOrEqual(701)
  expect(limits.allows('other', undefined, 60_000)).toBe(true)
})

test('a network gets 3,000 fixes a second over all its sessions (F10)', () => {
  const limits = new FixLimits(10)
  let allowed = 0
  for (let n = 0; n < 40_000; n++) if (limits.allows(`car ${n}`, '203.0.113.7', 0)) allowed += 1
  expect(allowed).toBe(30_000)
})
