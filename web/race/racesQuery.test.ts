import { expect, test } from 'vitest'
import { exampleRace } from '#testing/exampleRace.ts'
import { runningRace } from './racesQuery.ts'

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
