import { expect, test } from 'vitest'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { inCarOrder } from '#web/race/carOrder.ts'
import { lanesOf } from './lanes.ts'

const car = {
  id: 'blue',
  number: '17',
  name: null,
  carClass: null,
  tankL: null,
  reserveL: null,
  burnL: null,
  archived: false,
}

const race = exampleRace({ carIds: ['blue'] })

const session = (
  id: string,
  startedAt: number,
  inCar: { id: string; number: string } | null = car,
) => ({
  ...exampleSession,
  id,
  startedAt,
  car: inCar,
})

const [ana, mia] = [session('ana', 1000), session('mia', 5000)]
const phones = [
  carPhone({ sessionId: 'ana', startedAt: 1000 }),
  carPhone({ sessionId: 'mia', startedAt: 5000 }),
]

/** The race of car 17 with the phones of Ana and Mia, as both sessions know it. */
function known(more: Partial<StoredCarRace> = {}) {
  const stored = storedCarRace({ car, race, phones, ...more })
  return new Map([ana, mia].map(({ id }) => [id, stored]))
}

const run = (sessionId: string | null) => ({
  sessionId,
  from: 2000,
  until: null,
  decidedBy: 'moved' as const,
})

test('two phones of a car in a race are one lane, which sends to the one in the car', () => {
  const [lane, ...others] = lanesOf([mia, ana], known({ runs: [run('ana')] }))
  expect(others).toEqual([])
  expect(lane).toEqual({
    id: 'ana',
    session: ana,
    phones: [ana, mia],
    addressed: [ana],
    movesOff: null,
    asks: false,
  })
  expect(lanesOf([mia, ana], known({ runs: [run('mia')] }))).toEqual([
    { ...lane, session: mia, addressed: [mia] },
  ])
})

test('while no phone is in the car, the lane sends to all of them', () => {
  for (const runs of [[], [{ ...run('ana'), until: 3000 }], [run(null)]])
    expect(lanesOf([ana, mia], known({ runs }))).toEqual([
      {
        id: 'ana',
        session: ana,
        phones: [ana, mia],
        addressed: [ana, mia],
        movesOff: null,
        asks: false,
      },
    ])
  // The phone of the last driver is off.
  expect(lanesOf([mia], known({ runs: [] }))[0]?.session).toBe(mia)
})

test('a lane asks which phone is in the car, and sends to those that may be in it', () => {
  const [lane] = lanesOf([ana, mia], known({ runs: [run('ana')], unsure: ['mia'] }))
  expect(lane).toMatchObject({ session: ana, addressed: [ana, mia], movesOff: null, asks: true })
  // A stationary phone is replaced without a question.
  const withFixesAt = (...lastFixes: number[]) =>
    phones.map((each, index) => ({ ...each, lastFixAt: lastFixes[index] ?? null }))
  const stands = { runs: [run('ana')], unsure: ['mia'], phones: withFixesAt(90_000, 100_000) }
  // Its stop is over: the other one drives off.
  expect(lanesOf([ana, mia], known(stands))).toMatchObject([
    { session: ana, addressed: [ana, mia], movesOff: mia, asks: false },
  ])
  const silent = { ...stands, phones: withFixesAt(40_000, 100_000) }
  expect(lanesOf([ana, mia], known(silent))).toMatchObject([{ asks: true }])
  // The session of the phone in the car has ended, so only one phone is left.
  const ended = lanesOf([mia], known({ runs: [run('ana')], unsure: ['mia'] }))
  expect(ended).toMatchObject([{ id: 'ana', session: mia, addressed: [mia], asks: false }])
})

test('a lane keeps its identity when the first phone of its car ends', () => {
  expect(lanesOf([mia], known({ runs: [run('mia')] }))[0]?.id).toBe('ana')
})

test('without a race or a car, and before the race is known, each session is a lane', () => {
  const ids = (stored: ReadonlyMap<string, StoredCarRace>) =>
    lanesOf([mia, ana], stored).map(({ id }) => id)
  expect(ids(new Map())).toEqual(['ana', 'mia'])
  expect(ids(known({ race: null }))).toEqual(['ana', 'mia'])
  expect(ids(known({ car: null }))).toEqual(['ana', 'mia'])
})

test('lanes are in the order of the cars of the team, those without a car follow', () => {
  const red = { id: 'red', number: '44' }
  const sessions = [
    session('newer', 9000, null),
    session('older', 100, null),
    session('blue', 200),
    session('red', 300, red),
  ]
  const ids = inCarOrder(
    lanesOf(sessions, new Map()),
    [red, car],
    ({ session }) => session.car,
  ).map(({ id }) => id)
  expect(ids).toEqual(['red', 'blue', 'older', 'newer'])
})
