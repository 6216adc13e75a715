import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { driverChoices } from './driverChoices.ts'

const minuteMs = 60_000
const starter = { id: 'u1', firstName: 'Ana', lastName: 'Winter', email: 'ana@example.com' }
const driver = (id: string, name: string, archived = false) => ({
  id,
  name,
  userId: null,
  archived,
})
const race: RaceOfSession = {
  car: null,
  drivers: [driver('leo', 'Leo Garnier'), driver('mia', 'Mia Berg'), driver('old', 'Old', true)],
  stints: [{ id: 's1', number: 1, driverId: null, from: 0, to: null }],
  starterId: null,
  otherStints: [],
  earlierUses: [],
  race: null,
  plan: null,
  pitVisits: [],
  fills: [],
  autoPit: false,
}
const at = { starter, nowMs: 47 * minuteMs }

test('the roster comes first, then the person who started the session', () => {
  expect(driverChoices(race, at)).toMatchObject([
    { id: 'leo', name: 'Leo Garnier', isDriving: false, minutes: '0', detail: '' },
    { id: 'mia', name: 'Mia Berg' },
    { id: null, name: 'Ana Winter', isDriving: true, minutes: '47', detail: 'In the car' },
  ])
})

test('the person who started the session is listed once if the roster has them', () => {
  const choices = driverChoices({ ...race, starterId: 'mia' }, at)
  expect(choices.map(({ id, isDriving }) => [id, isDriving])).toEqual([
    ['leo', false],
    ['mia', true],
  ])
})

test('the planned driver is first', () => {
  const choices = driverChoices(race, { ...at, plannedId: 'mia' })
  expect(choices.map(({ id }) => id)).toEqual(['mia', 'leo', null])
  expect(choices[0]).toMatchObject({ detail: 'Planned' })
})

test('a driver at the limit can be chosen, with a warning', () => {
  const limited: RaceOfSession = {
    ...race,
    otherStints: [
      { driverId: 'leo', from: 0, to: 65 * minuteMs, isSameCar: false, hadYellow: false },
      { driverId: 'mia', from: 0, to: 30 * minuteMs, isSameCar: false, hadYellow: false },
    ],
    race: {
      id: 'r1',
      name: 'Zolder',
      length: { in: 'time', ms: 360 * minuteMs },
      rules: { ...noRules, maxDriverMs: 60 * minuteMs },
      carIds: [],
      startedAt: 0,
      pauses: [],
      endedAt: null,
    },
  }
  const choices = driverChoices(limited, { starter, nowMs: 70 * minuteMs })
  expect(choices).toMatchObject([
    { id: 'leo', isOver: true, detail: '5 min over the limit' },
    { id: 'mia', isOver: false, detail: '30 min left' },
    { id: null, isOver: true, detail: 'In the car' },
  ])
})
