import { expect, test } from 'vitest'
import { exampleCar, exampleLaps, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace, wholeLaps } from '#testing/storedCarRace.ts'
import { firstEntry } from './fuelEntry.ts'
import type { CarRace } from './shownCarRace.ts'

const lapMs = 100_000
const startedAt = 10 * lapMs
const race = exampleRace({ startedAt })
const laps = wholeLaps(12)
/** A visit to the pits that lasts for half a lap. */
const visitAt = (startedAt: number) => {
  const times = { stoppedAt: startedAt + 10_000, leftAt: startedAt + 40_000 }
  return { startedAt, ...times, endedAt: startedAt + 50_000 }
}
const kindOf = (more: Partial<CarRace>) => {
  const carRace = { ...storedCarRace({ car: exampleCar(), race }), laps, visits: [], ...more }
  return firstEntry(carRace, exampleLaps([]), 12.2 * lapMs)?.kind
}

test('an assumed tank asks for the start after an early visit or a drive-through', () => {
  expect(kindOf({})).toBe('start')
  expect(kindOf({ visits: [visitAt(startedAt - lapMs)] })).toBe('start')
  const driveThrough = { ...visitAt(startedAt + lapMs), stoppedAt: null, leftAt: null }
  expect(kindOf({ visits: [driveThrough] })).toBe('start')
})

test('an open visit, or a stop in the race without litres, asks for the litres', () => {
  const stop = visitAt(startedAt + lapMs)
  expect(kindOf({ visits: [stop] })).toBe('new')
  expect(kindOf({ visits: [{ ...stop, leftAt: null, endedAt: null }] })).toBe('new')
})

test('after an entry for the last stop an earlier one without litres is asked for', () => {
  const [first, last] = [visitAt(startedAt + lapMs / 2), visitAt(startedAt + 1.5 * lapMs)]
  const fills = [{ id: 'f1', kind: 'part' as const, at: last.leftAt, litres: 8 }]
  const stored = storedCarRace({ car: exampleCar(), race })
  const carRace = { ...stored, laps, visits: [first, last], fills }
  expect(firstEntry(carRace, exampleLaps([]), 12.2 * lapMs)).toMatchObject({
    kind: 'new',
    stop: first,
  })
})

test('with the start entered any stop without litres asks for them', () => {
  const fills = [{ id: 'f1', kind: 'start' as const, at: startedAt, litres: 80 }]
  expect(kindOf({ fills })).toBeUndefined()
  expect(kindOf({ fills, visits: [visitAt(startedAt - lapMs)] })).toBe('new')
})
