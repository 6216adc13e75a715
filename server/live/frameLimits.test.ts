import { expect, test } from 'vitest'
import { FrameLimits, UserFrameLimits } from './frameLimits.ts'

test('limits of a connection are full again once their tokens are refilled (L6)', () => {
  const limits = new FrameLimits(new UserFrameLimits(), 'ana')
  const subscribe = { t: 'subscribe', room: 'session:a' } as const
  const startMs = 1000
  expect(limits.isFull(startMs)).toBe(true)
  for (let n = 0; n < 60; n++) expect(limits.allows(subscribe, startMs)).toBe(true)
  expect(limits.allows(subscribe, startMs)).toBe(false)
  // Ten are refilled each second.
  expect(limits.isFull(startMs + 5900)).toBe(false)
  expect(limits.isFull(startMs + 6000)).toBe(true)
})
