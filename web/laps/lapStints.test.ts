import { expect, test } from 'vitest'
import { exampleLap } from '#testing/exampleRace.ts'
import { carPhone } from '#testing/storedCarRace.ts'
import { lapStints } from './lapStints.ts'

const driver = { id: 'ana', firstName: 'Ana', lastName: 'Winter', email: null }
const stint = { id: 's1', number: 1, sessionId: 's1', driverId: null, from: 0, to: 1000 }

test('a stint without laps is left out unless it is driven now', () => {
  const laps = [exampleLap(1, { startedAt: 0, timeMs: 900 })]
  const ids = (to: number | null) => {
    const stints = [stint, { ...stint, id: 's2', number: 2, from: 1000, to }]
    const race = { stints, drivers: [], phones: [carPhone()] }
    return lapStints(laps, race, { id: 's1', driver }).map(({ id }) => id)
  }
  expect(ids(null)).toEqual(['s1', 's2'])
  expect(ids(2000)).toEqual(['s1'])
})
