import { expect, test } from 'vitest'
import { exampleRace } from '#testing/exampleRace.ts'
import { nextRace, runningRace } from './racesQuery.ts'

test('the race that runs for a car is one that the car is in', () => {
  const over = exampleRace({ id: 'over', startedAt: 1, endedAt: 2 })
  const named = exampleRace({ id: 'named', startedAt: 3, carIds: ['blue'] })
  const all = exampleRace({ id: 'all', startedAt: 3 })
  expect(runningRace([over, named])).toBe(named)
  expect(runningRace([over, named], 'blue')).toBe(named)
  expect(runningRace([over, named], 'red')).toBeUndefined()
  expect(runningRace([over, named], null)).toBeUndefined()
  expect(runningRace([named, all], 'red')).toBe(all)
  expect(runningRace([all], null)).toBe(all)
})

test('the next race is one that starts today, or should have started, and has not', () => {
  const hourMs = 3_600_000
  const now = 100 * hourMs
  const startingAt = (startsAt: number | null, startedAt: number | null = null) =>
    exampleRace({ id: String(startsAt), startsAt, startedAt })
  const next = startingAt(now + hourMs)
  const others = [
    startingAt(now - hourMs, now),
    startingAt(now - 30 * hourMs),
    startingAt(now + 20 * hourMs),
    startingAt(null),
  ]
  expect(nextRace([...others, next], now)).toBe(next)
  expect(nextRace([next], now + 2 * hourMs)).toBe(next)
  expect(nextRace(others, now)).toBeUndefined()
  expect(nextRace(undefined, now)).toBeUndefined()
})
