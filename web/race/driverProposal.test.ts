import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { driverProposal } from './driverProposal.ts'
import type { CarRace } from './shownCarRace.ts'

const driver = (id: string, archived = false) => ({ id, name: id, userId: null, archived })
const first = { id: 's1', number: 1, sessionId: 's1', driverId: 'ana', from: 0, to: null }
const visit = { startedAt: 58 * minuteMs, endedAt: null, stoppedAt: null, leftAt: null }
const race: CarRace = {
  ...storedCarRace({ stints: [first] }),
  drivers: [driver('ana'), driver('leo'), driver('mia')],
  race: exampleRace({ startedAt: 0 }),
  plan: {
    driverIds: ['ana', 'mia'],
    stopMs: null,
    lapMs: null,
    stints: [
      { number: 1, driverId: null, lengthMs: 60 * minuteMs },
      { number: 2, driverId: 'mia', lengthMs: 60 * minuteMs },
    ],
  } as unknown as CarRace['plan'],
  laps: [],
  visits: [visit],
}
const nowMs = 59 * minuteMs

test('in the pits the planned driver is proposed', () => {
  expect(driverProposal(race, nowMs)).toEqual({
    stopAt: visit.startedAt,
    plannedId: 'mia',
  })
})

test('without a plan the change is proposed without a driver', () => {
  const unplanned = { ...race, race: null, plan: null }
  expect(driverProposal(unplanned, nowMs)).toEqual({
    stopAt: visit.startedAt,
    plannedId: null,
  })
})

test('outside the pits and after the visit nothing is proposed', () => {
  expect(driverProposal({ ...race, visits: [] }, nowMs)).toBeNull()
  const over = { ...visit, endedAt: 59 * minuteMs }
  expect(driverProposal({ ...race, visits: [over] }, nowMs)).toBeNull()
})

test('a planned change is proposed until it is answered, also in the next stop', () => {
  const left = {
    ...visit,
    stoppedAt: 58.5 * minuteMs,
    leftAt: 60 * minuteMs,
    endedAt: 61 * minuteMs,
  }
  const later = 75 * minuteMs
  const of = (more: Partial<CarRace>) => driverProposal({ ...race, visits: [left], ...more }, later)
  const asked = { stopAt: left.startedAt, plannedId: 'mia', from: left.stoppedAt }
  expect(of({})).toEqual(asked)
  const visits = [left, { ...visit, startedAt: 74 * minuteMs }]
  expect(of({ visits })).toEqual(asked)
  const stayed = { stopAt: 74 * minuteMs, plannedId: 'mia' }
  expect(of({ visits, sameDriverAt: [left.stoppedAt] })).toEqual(stayed)
  const second = { ...first, id: 'b', number: 2, driverId: 'mia', from: left.stoppedAt }
  expect(of({ stints: [{ ...first, to: second.from }, second] })).toBeNull()
  // Without a plan, without a stop, before the start and after the race nobody is asked.
  expect(of({ plan: null })).toBeNull()
  expect(of({ visits: [{ ...left, stoppedAt: null }] })).toBeNull()
  expect(of({ race: exampleRace({ startedAt: left.endedAt }) })).toBeNull()
  expect(of({ race: exampleRace({ startedAt: 0, endedAt: 70 * minuteMs }) })).toBeNull()
})

test('after a change in the same visit nothing is proposed', () => {
  const second = {
    ...first,
    id: 'b',
    number: 2,
    driverId: 'leo',
    from: visit.startedAt + 1,
    to: null,
  }
  const changed = { ...race, stints: [{ ...first, to: second.from }, second] }
  expect(driverProposal(changed, nowMs)).toBeNull()
})

test('nothing is proposed if the same driver continues, or nobody else can drive', () => {
  const stints = race.plan!.stints.map(stint => ({ ...stint, driverId: 'ana' }))
  const plan = { ...race.plan!, stints }
  expect(driverProposal({ ...race, plan }, nowMs)).toBeNull()
  const drivers = [driver('ana'), driver('leo', true)]
  expect(driverProposal({ ...race, drivers }, nowMs)).toBeNull()
})
