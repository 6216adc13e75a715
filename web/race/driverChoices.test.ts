import { expect, test } from 'vitest'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { driverChoices } from './driverChoices.ts'

const driver = (id: string, name: string, archived = false) => ({
  id,
  name,
  userId: null,
  archived,
})
const race = raceWith()
const at = { sessionId: 's1', nowMs: 47 * minuteMs }

function raceWith(more: Partial<StoredCarRace> = {}) {
  const drivers = [driver('leo', 'Leo Garnier'), driver('mia', 'Mia Berg')]
  const archived = driver('old', 'Old', true)
  return {
    ...storedCarRace({ drivers: [...drivers, archived], ...more }),
    laps: [],
    visits: [],
  }
}

test('the roster comes first, then the person who started the session', () => {
  expect(driverChoices(race, at)).toMatchObject([
    { id: 'leo', name: 'Leo Garnier', isDriving: false, minutes: '0', detail: '' },
    { id: 'mia', name: 'Mia Berg' },
    { id: null, name: 'Ana Winter', isDriving: true, minutes: '47', detail: 'In the car' },
  ])
})

test('the person who started the session is listed once if the roster has them', () => {
  const phones = [carPhone({ starterId: 'mia' })]
  const stints = [{ ...race.stints[0]!, driverId: 'mia' }]
  const choices = driverChoices(raceWith({ phones, stints }), at)
  expect(choices.map(({ id, isDriving }) => [id, isDriving])).toEqual([
    ['leo', false],
    ['mia', true],
  ])
})

test('a person of another phone who drives is listed, also without a roster entry', () => {
  const phones = [carPhone(), carPhone({ sessionId: 's2', person: 'Zoe Lang' })]
  const choices = driverChoices(raceWith({ phones }), { ...at, sessionId: 's2' })
  expect(choices.map(({ name, isDriving }) => [name, isDriving])).toEqual([
    ['Leo Garnier', false],
    ['Mia Berg', false],
    ['Zoe Lang', false],
    ['Ana Winter', true],
  ])
})

test('the planned driver is first', () => {
  const choices = driverChoices(race, { ...at, planned: { id: 'mia', stint: 4 } })
  expect(choices.map(({ id }) => id)).toEqual(['mia', 'leo', null])
  expect(choices[0]).toMatchObject({ detail: 'By plan, stint 4', isPlanned: true })
})

test("the drivers of the car's plan are before those of other cars", () => {
  const plan = { driverIds: ['mia'], stopMs: null, lapMs: null, stints: [] }
  const choices = driverChoices(raceWith({ plan }), at)
  expect(choices.map(({ id }) => id)).toEqual(['mia', 'leo', null])
})

test('a driver has the allowance that is left, and a warning at the limit', () => {
  const limited = raceWith({
    otherCars: [
      { driverId: 'leo', from: 0, to: 65 * minuteMs },
      { driverId: 'mia', from: 0, to: 30 * minuteMs },
    ],
    race: exampleRace({ rules: { ...noRules, maxDriverMs: 60 * minuteMs }, startedAt: 0 }),
  })
  const choices = driverChoices(limited, { ...at, nowMs: 70 * minuteMs })
  expect(choices).toMatchObject([
    {
      id: 'leo',
      isWarning: true,
      detail: '5 min over the limit',
      allowance: { left: '0:00', of: '1:00' },
    },
    { id: 'mia', isWarning: false, detail: '30 min left', allowance: { left: '0:30', of: '1:00' } },
    { id: null, isWarning: false, detail: 'In the car' },
  ])
})

test('a driver who is in another car now has its number, and a warning', () => {
  const others = [
    { driverId: 'leo', from: 0, to: 10 * minuteMs, car: '17' },
    { driverId: 'mia', from: 0, to: null, car: '44' },
  ]
  const choices = driverChoices(raceWith({ otherCars: others }), at)
  expect(choices.map(({ detail, isWarning }) => [detail, isWarning])).toEqual([
    ['', false],
    ['In car 44 now', true],
    ['In the car', false],
  ])
})
