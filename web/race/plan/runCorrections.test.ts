import { describe, expect, test } from 'vitest'
import type { Run } from '#contract/carRaces.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { correctedRuns } from '#racing/race/runs.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import {
  boundsOf,
  decisionsOf,
  decisionsWithout,
  effectOf,
  momentsNear,
  runNow,
} from './runCorrections.ts'

const minute = 60_000
const lapMs = 2 * minute
const nowMs = 120 * minute

const race = exampleRace({ startedAt: 0 })

/** Laps of two minutes between two times. */
function laps(from: number, until: number) {
  return Array.from({ length: (until - from) / lapMs }, (_, index) => ({
    number: index + 1,
    startedAt: from + index * lapMs,
    timeMs: lapMs,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
}

function run(sessionId: string | null, from: number, until: number | null): Run {
  return { sessionId, from, until, decidedBy: 'moved' }
}

const marta = carPhone({
  sessionId: 'marta',
  laps: laps(0, 60 * minute),
  visits: [{ startedAt: 57 * minute, endedAt: 61 * minute, stoppedAt: null, leftAt: null }],
})
const ana = carPhone({
  sessionId: 'ana',
  startedAt: 50 * minute,
  leftPitsAt: [60 * minute],
  laps: laps(60 * minute, 100 * minute),
})
const mia = carPhone({ sessionId: 'mia', startedAt: 20 * minute, endedAt: 90 * minute })
const first = run('marta', 0, 60 * minute)
const second = run('ana', 60 * minute, null)
const phones = [marta, mia, ana]
const car = carOf([first, second])

function carOf(runs: Run[]) {
  return carRaceOf(storedCarRace({ race, phones, runs }))
}

/** The runs after a correction, as phone and times in minutes. */
function after(decisions: ReturnType<typeof decisionsOf>, { runs } = car) {
  const decided = decisions.map(each => ({ ...each, correctionId: 'c' }))
  return correctedRuns(runs, decided).map(({ sessionId, from, until }) => [
    sessionId,
    from / minute,
    until === null ? null : until / minute,
  ])
}

test('a run is found again after another person corrected it', () => {
  const corrected = { race: car, run: second, phone: 'ana' }
  const changed = carOf([
    first,
    run('mia', 60 * minute, 80 * minute),
    run('ana', 80 * minute, null),
  ])
  expect(runNow({ ...corrected, race: changed }).run).toMatchObject({ from: 80 * minute })
  expect(runNow({ ...corrected, race: carOf([first]) })).toMatchObject({ run: null, phone: 'ana' })
})

describe('a moved boundary', () => {
  const corrected = { race: car, run: second, phone: 'ana' }

  test('is decided around it, and leaves the other ends of both runs', () => {
    const earlier = decisionsOf(corrected, { phone: 'ana', from: 58 * minute }, nowMs)
    expect(earlier).toEqual([
      { phone: 'marta', from: 53 * minute, until: 58 * minute },
      { phone: 'ana', from: 58 * minute, until: 65 * minute },
    ])
    expect(after(earlier)).toEqual([
      ['marta', 0, 58],
      ['ana', 58, null],
    ])
    const later = decisionsOf(corrected, { phone: 'ana', from: 64 * minute }, nowMs)
    expect(after(later)).toEqual([
      ['marta', 0, 64],
      ['ana', 64, null],
    ])
  })

  test('of the first run leaves no phone in the car before it', () => {
    const begun = { race: car, run: first, phone: 'marta' }
    const later = decisionsOf(begun, { phone: 'marta', from: 4 * minute }, nowMs)
    expect(after(later)).toEqual([
      [null, 0, 4],
      ['marta', 4, 60],
      ['ana', 60, null],
    ])
  })

  test('later than the end of the session before leaves no phone in the car', () => {
    const phones = [{ ...marta, endedAt: 61 * minute }, mia, ana]
    const race = carRaceOf({ ...car, phones })
    const later = { phone: 'ana', from: 64 * minute }
    expect(after(decisionsOf({ ...corrected, race }, later, nowMs))).toEqual([
      ['marta', 0, 61],
      [null, 61, 64],
      ['ana', 64, null],
    ])
  })

  test('stays after the run before, and within the session of its phone', () => {
    expect(boundsOf(corrected, 'ana', nowMs)).toEqual({ least: 50 * minute, most: nowMs - 1000 })
    const endedAt = 110 * minute
    const over = { ...corrected, race: { ...car, race: { ...race!, endedAt } } }
    expect(boundsOf(over, 'ana', nowMs)).toMatchObject({ most: endedAt - 1000 })
    expect(boundsOf(corrected, 'mia', nowMs)).toEqual({
      least: 20 * minute,
      most: 90 * minute - 1000,
    })
    expect(boundsOf({ ...corrected, run: first }, 'marta', nowMs)).toEqual({
      least: 0,
      most: 60 * minute - 1000,
    })
  })
})

test('another phone takes the whole run, or a part of it', () => {
  const corrected = { race: car, run: second, phone: 'ana' }
  expect(after(decisionsOf(corrected, { phone: 'mia', from: second.from }, nowMs))).toEqual([
    ['marta', 0, 60],
    ['mia', 60, null],
  ])
  const begun = { race: car, run: first, phone: 'marta' }
  expect(after(decisionsOf(begun, { phone: 'mia', from: 30 * minute }, nowMs))).toEqual([
    ['marta', 0, 30],
    ['mia', 30, 60],
    ['ana', 60, null],
  ])
})

test('the phone before goes on in place of one that was not in the car', () => {
  const removed = (runs: Run[], of: Run) => {
    const race = carOf(runs)
    return decisionsWithout({ race, run: of, phone: of.sessionId ?? '' }, of)
  }
  expect(after(removed([first, second], second))).toEqual([['marta', 0, null]])
  expect(removed([first, second], first)).toEqual([{ phone: null, from: 0, until: 60 * minute }])
  const ofMia = run('mia', 30 * minute, 60 * minute)
  expect(removed([ofMia, second], second)).toEqual([
    { phone: null, from: 60 * minute, until: null },
  ])
  const apart = run('ana', 70 * minute, null)
  expect(removed([first, apart], apart)).toEqual([{ phone: null, from: 70 * minute, until: null }])
})

test('a phone without a run is put in the car for the rest of the run or session', () => {
  const put = (from: number) =>
    decisionsOf({ race: car, run: null, phone: 'mia' }, { phone: 'mia', from }, nowMs)
  expect(put(30 * minute)).toEqual([{ phone: 'mia', from: 30 * minute, until: 60 * minute }])
  expect(put(70 * minute)).toEqual([{ phone: 'mia', from: 70 * minute, until: 90 * minute }])
  const active = carOf([run('marta', 30 * minute, 40 * minute)])
  const before = { phone: 'ana', from: 10 * minute }
  expect(decisionsOf({ race: active, run: null, phone: 'ana' }, before, nowMs)).toEqual([
    { ...before, until: 30 * minute },
  ])
})

test('the effect counts the laps of each phone before and after', () => {
  const corrected = { race: car, run: second, phone: 'ana' }
  const decisions = decisionsOf(corrected, { phone: 'ana', from: 50 * minute }, nowMs)
  expect(effectOf(car, decisions, ['ana'])).toEqual([
    { sessionId: 'marta', before: 30, after: 25 },
    // The lap over the gap ends where her phone first saw the line.
    { sessionId: 'ana', before: 20, after: 21 },
  ])
})

test('the nearest moments are those of any phone of the car', () => {
  const bounds = { least: 0, most: nowMs }
  expect(momentsNear(car, 59.5 * minute, bounds)).toEqual([
    { place: 'pitIn', at: 57 * minute },
    { place: 'line', at: 60 * minute },
    { place: 'pitOut', at: 60 * minute },
  ])
  expect(momentsNear(car, 10 * minute, { least: 58.5 * minute, most: 59 * minute })).toEqual([])
})

test('a crossing that no phone saw as the end of a lap is offered as well', () => {
  const inLane = [{ ...laps(56 * minute, 58 * minute)[0]!, endsAtLine: true as const }]
  const joined = {
    ...car,
    laps: inLane.map(lap => ({ ...lap, timeMs: 3.2 * minute, sessionId: 'marta' })),
  }
  const bounds = { least: 58.5 * minute, most: 59.9 * minute }
  expect(momentsNear(joined, 59 * minute, bounds)).toEqual([{ place: 'line', at: 59.2 * minute }])
})
