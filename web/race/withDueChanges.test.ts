import { expect, test } from 'vitest'
import type { Stint } from '#contract/carRaces.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import type { CarRace } from './shownCarRace.ts'
import { withDueChanges } from './withDueChanges.ts'

const first: Stint = {
  id: 's1',
  number: 1,
  sessionId: 's1',
  driverId: 'ana',
  from: 1000,
  to: null,
}
const race = raceWith([first])

function raceWith(stints: Stint[]): CarRace {
  return { ...storedCarRace({ stints }), laps: [], visits: [] }
}

const add = { kind: 'add', sessionId: 's1', stintId: 'b', driverId: 'leo', at: 5000 } as const
const remove = { ...add, kind: 'remove', at: 6000 } as const

test('an unsent change starts a stint at the time of its tap', () => {
  expect(withDueChanges(race, [add]).stints).toEqual([
    { ...first, to: 5000 },
    { id: 'b', number: 2, sessionId: 's1', driverId: 'leo', from: 5000, to: null },
  ])
})

test('a change that the server has already changes nothing', () => {
  const stored = withDueChanges(race, [add])
  expect(withDueChanges(stored, [add])).toBe(stored)
  expect(withDueChanges(race, [])).toBe(race)
})

test('a change that was undone leaves the race as it was', () => {
  expect(withDueChanges(race, [add, remove]).stints).toEqual([first])
  expect(withDueChanges(race, [remove])).toBe(race)
})

test('a change by a wrong clock starts after the session does, and stays in order', () => {
  const other: Stint = {
    id: 'c',
    number: 2,
    sessionId: 's1',
    driverId: 'mia',
    from: 9000,
    to: null,
  }
  const later = { ...race, stints: [{ ...first, to: 9000 }, other] }
  expect(withDueChanges(later, [{ ...add, at: 3 }]).stints).toEqual([
    { ...first, to: 1001 },
    { id: 'b', number: 2, sessionId: 's1', driverId: 'leo', from: 1001, to: 9000 },
    { ...other, number: 3 },
  ])
})

test('a change that the team has entered as well is one stint, as on the server', () => {
  const ofTeam = withDueChanges(race, [add])
  const same = { ...add, stintId: 'c' }
  expect(withDueChanges(ofTeam, [{ ...same, at: 9000 }])).toBe(ofTeam)
  expect(withDueChanges(ofTeam, [{ ...same, at: 4000 }]).stints).toEqual([
    { ...first, to: 4000 },
    { id: 'b', number: 2, sessionId: 's1', driverId: 'leo', from: 4000, to: null },
  ])
})

test('a change that the team has entered as well is undone for both, as on the server', () => {
  const ofTeam = withDueChanges(race, [add])
  const same = { ...add, stintId: 'c', at: 4000 }
  const undo = { ...same, kind: 'remove' } as const
  expect(withDueChanges(ofTeam, [same, { ...undo, at: 6000 }]).stints).toEqual([first])
  // The team entered it after the undo.
  expect(withDueChanges(ofTeam, [same, { ...undo, at: 4500 }]).stints).toEqual(ofTeam.stints)
})

test('a change keeps the time without a phone in the car', () => {
  const again: Stint = { ...first, id: 's2', number: 2, sessionId: 's2', from: 9000 }
  const later = raceWith([{ ...first, to: 6000 }, again])
  expect(withDueChanges(later, [add]).stints).toEqual([
    { ...first, to: 5000 },
    { id: 'b', number: 2, sessionId: 's1', driverId: 'leo', from: 5000, to: 6000 },
    { ...again, number: 3 },
  ])
})

test('an unsent change after the pit exit starts a stint in the stop', () => {
  const visit = { startedAt: 3000, stoppedAt: 3500, leftAt: 4000, endedAt: 4500 }
  expect(withDueChanges({ ...race, visits: [visit] }, [add]).stints).toMatchObject([
    { to: 3500 },
    { id: 'b', from: 3500 },
  ])
})
