import { expect, test } from 'vitest'
import { exampleId, exampleRace, exampleStints } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { numberOf } from './useChangeDriver.tsx'

test('a new stint has its number in the race, without those before the start', () => {
  const stints = exampleStints(0, [null, 0, 4], [exampleId(1), 4, 12], [exampleId(2), 12, null])
  const numberAt = (startedMin: number | null) => {
    const startedAt = startedMin === null ? null : startedMin * 60_000
    const race = exampleRace({ startedAt })
    return numberOf(storedCarRace({ race, stints }), stints[2]!)
  }
  expect([5, 2, null].map(numberAt)).toEqual([2, 3, 3])
})
