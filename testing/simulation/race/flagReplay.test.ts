import { expect, test } from 'vitest'
import { recordedSource, replayFlags } from './flagReplay.ts'

test.each([1, Math.floor(Math.random() * 1e9)])('no false flag is painted (seed %i)', seed => {
  const { changes, compared, falseFlags, outdated } = replayFlags({
    hours: 2,
    seed,
    lostLines: 0.01,
  })
  expect(changes).toBeGreaterThan(20)
  expect(compared).toBeGreaterThan(0)
  expect(falseFlags).toBe(0)
  expect(outdated[2]).toBe(0)
})

test('no false flag is painted of recordings that are repeated', () => {
  const recording = (word: string) =>
    Array.from({ length: 40 }, (_, second) => [
      `##2026-06-20 14:00:${String(second).padStart(2, '0')}.120`,
      `$F,9999,"01:00:00","14:00:00","00:04:00","${second < 20 ? word : 'Red   '}"`,
    ])
      .flat()
      .join('\n')
  const source = recordedSource(['', recording('Green '), recording('Yellow')])
  const { changes, falseFlags } = replayFlags({ hours: 1, seed: 2, lostLines: 0.01, source })
  expect(changes).toBeGreaterThan(150)
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
