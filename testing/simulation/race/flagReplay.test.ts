import { expect, test } from 'vitest'
import { replayFlags } from './flagReplay.ts'

test.each([1, Math.floor(Math.random() * 1e9)])('no false flag is painted (seed %i)', seed => {
  const { changes, compared, falseFlags } = replayFlags({ hours: 2, seed, lostLines: 0.01 })
  expect(changes).toBeGreaterThan(20)
  expect(compared).toBeGreaterThan(0)
  expect(falseFlags).toBe(0)
})

test('the replay detects a flag that stays green after a reconnection', () => {
  const { falseFlags } = replayFlags({
    hours: 2,
    seed: 1,
    lostLines: 0,
    tamper: frame =>
      frame.flag
        ? { ...frame, flag: { ...frame.flag, flag: 'Green', seenAt: Number.MAX_SAFE_INTEGER } }
        : frame,
  })
  expect(falseFlags).toBeGreaterThan(0)
})
