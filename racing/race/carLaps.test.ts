import { expect, test } from 'vitest'
import { exampleRace } from '#testing/exampleRace.ts'
import { lap } from '#testing/lap.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { carRaceOf } from './carRace.ts'

test('laps have the numbers of their session until the start, then of the race', () => {
  const laps = [lap(0, 100, { kind: 'out' }), lap(1, 100), lap(2, 100), lap(3, 100)]
  const numbers = (startedAt: number | null) =>
    carRaceOf(
      storedCarRace({
        phones: [carPhone({ laps })],
        race: exampleRace({ startedAt }),
      }),
    ).laps.map(({ number }) => number)
  expect(numbers(null)).toEqual([0, 1, 2, 3])
  expect(numbers(200_000)).toEqual([0, 0, 1, 2])
})
