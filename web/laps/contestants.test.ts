import { expect, test } from 'vitest'
import { exampleCar, exampleLap, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { contestantsOf } from './contestants.tsx'

test('a compared session begins with its car, and has no laps after the flag', () => {
  const laps = [1, 2, 0].map((number, index) => ({
    ...exampleLap(number, { startedAt: index * 90_000, timeMs: 90_000, kind: 'full' }),
    sessionId: 's1',
  }))
  const race = { ...storedCarRace({ race: exampleRace({ startedAt: 0 }) }), laps, visits: [] }
  const driver = { id: 'ana', firstName: 'Ana', lastName: 'Winter', email: null }
  const session = {
    id: 's1',
    name: 'Race',
    startedAt: 0,
    driver,
    currentDriver: null,
    car: { id: exampleCar().id, number: '12' },
  }
  const [shown] = contestantsOf({ session, race, gpsPoor: false }, [])
  expect(shown?.laps.map(({ number }) => number)).toEqual([1, 2])
  expect(shown?.drivers.flatMap(each => each.laps)).toHaveLength(2)
  expect(shown?.name).toBe('Car 12, Race')
})
