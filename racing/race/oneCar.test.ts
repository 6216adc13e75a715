import { describe, expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { type CarPhone, carRaceOf } from './carRace.ts'
import { stintsOf } from './carStints.ts'
import { driverTime } from './driverTime.ts'
import { raceLaps } from './raceLaps.ts'
import { runsOf } from './runs.ts'
import { type StintEntry, stintSequence } from './stintSequence.ts'

// A car that laps in 100 s and stops for the next driver in every tenth lap, 50 s after the line. What is known of it is
// made of where each of its phones really was.

const second = 1000
const lapS = 100
const stopS = 100
const lapsPerStint = 10
const stintS = lapsPerStint * lapS + stopS
const endS = 4 * stintS

/** A time in seconds. */
interface Time {
  readonly from: number
  readonly to: number
}

function stop(index: number): Time {
  const to = index * stintS - 50
  return { from: to - stopS, to }
}
const [stop1, stop2, stop3] = [stop(1), stop(2), stop(3)]
const stops = [stop1, stop2, stop3]

/** Times at which the car crosses the line. */
const crossings = Array.from(
  { length: 4 * lapsPerStint + 1 },
  (_, lap) => lap * lapS + stopS * Math.floor(lap / lapsPerStint),
)

interface Seen {
  readonly phone: CarPhone & { readonly starterId: string }
  readonly moves: Parameters<typeof runsOf>[0][number]['moves']
}

/** Returns what a phone sees that drives at these times, and stands otherwise. */
function seenBy(sessionId: string, starterId: string, driven: readonly Time[]): Seen {
  const drives = driven.flatMap(({ from, to }) => {
    const within = stops.filter(each => each.from > from && each.from < to)
    return [from, ...within.map(each => each.to)]
      .filter(at => at < to)
      .map(at => ({
        from: at * second,
        to: Math.min(to, within.find(each => each.from > at)?.from ?? to) * second,
        leftPits: at === 0 || stops.some(each => each.to === at),
        provenAt: (at + 15) * second,
      }))
  })
  const laps = driven.flatMap(({ from, to }) => {
    const seen = crossings.filter(at => at >= from && at <= to)
    const [first = to] = seen
    const out = { number: 0, startedAt: from * second, timeMs: (first - from) * second }
    return [
      ...(first > from && seen.length > 0 ? [{ ...out, kind: 'out' as const }] : []),
      ...seen.slice(1).map((at, index) => ({
        number: index + 1,
        startedAt: (seen[index] ?? at) * second,
        timeMs: (at - (seen[index] ?? at)) * second,
        kind: at - (seen[index] ?? at) > lapS ? ('pit' as const) : ('full' as const),
      })),
    ]
  })
  const visits = stops
    .filter(each => driven.some(({ from, to }) => from < each.from && each.from < to))
    .map(each => {
      const staysIn = driven.some(({ from, to }) => from < each.from && each.to < to)
      // A phone that was taken out is in the pits until it drives again.
      const endedAt = staysIn ? each.to : driven.find(({ from }) => from > each.from)?.from
      return {
        startedAt: each.from * second,
        endedAt: endedAt === undefined ? null : endedAt * second,
        stoppedAt: (each.from + 20) * second,
        leftAt: staysIn ? (each.to - 20) * second : null,
      }
    })
  const lastFixAt = endS * second
  return {
    phone: {
      sessionId,
      starterId,
      startedAt: 0,
      endedAt: null,
      lastFixAt,
      leftPitsAt: drives.filter(({ leftPits }) => leftPits).map(({ from }) => from),
      laps: laps.map(lap => ({ ...lap, isSeen: true, yellow: false })),
      visits,
    },
    moves: { drives, departures: [], silences: [], movingSince: null, lastFixAt },
  }
}

const race = {
  length: { in: 'laps', laps: 100 } as const,
  rules: noRules,
  startedAt: 0,
  pauses: [],
  endedAt: null,
}

/** Returns the race of the car from what its phones saw. */
function raceOf(seen: readonly Seen[], entries: readonly StintEntry[] = []) {
  const phones = seen.map(({ phone }) => phone)
  const runs = runsOf(
    seen.map(({ phone, moves }) => ({ ...phone, moves })),
    [],
  )
  const driven = seen.map(({ phone, moves }) => ({ ...phone, drives: moves?.drives ?? [] }))
  const stints = stintSequence({ phones: driven, runs, entries, fillsAt: [] })
  return carRaceOf({ ...drivenCar(), race, phones, runs, stints })
}

/** Laps of the car, and the seconds that each driver drove. */
function figuresOf(car: ReturnType<typeof raceOf>) {
  const timeOf = (driverId: string) => driverTime(car, driverId, endS * second).drivenMs / second
  return { laps: raceLaps(car), ana: timeOf('ana'), ben: timeOf('ben'), cem: timeOf('cem') }
}

/** Ana drives the first and the last stint. */
const truth = {
  laps: crossings.length - 1,
  ana: stop1.from + (endS - stop3.to),
  ben: stop2.from - stop1.to,
  cem: stop3.from - stop2.to,
}

/** A driver change that is entered while the car stands. */
function entered(id: string, sessionId: string, driverId: string, at: Time): StintEntry {
  const from = (at.from + 30) * second
  return { id, sessionId, driverId, from, removedAt: null, byHand: false }
}

const changes = [
  entered('x', 'a', 'ben', stop1),
  entered('y', 'a', 'cem', stop2),
  entered('z', 'b', 'ana', stop3),
]

const whole = [{ from: 0, to: endS }]
/** A phone that is taken out of the car while it stands. */
const takenOut = 40
const onePhone = [seenBy('a', 'ana', whole)]
const ownPhones = [
  seenBy('a', 'ana', [
    { from: 0, to: stop1.from + takenOut },
    { from: stop3.to, to: endS },
  ]),
  seenBy('b', 'ben', [{ from: stop1.to, to: stop2.from + takenOut }]),
  seenBy('c', 'cem', [{ from: stop2.to, to: stop3.from + takenOut }]),
]

describe.each([
  { name: 'one phone', seen: onePhone },
  {
    name: 'three phones that stay in the car',
    seen: [seenBy('a', 'ana', whole), seenBy('b', 'ben', whole), seenBy('c', 'cem', whole)],
  },
  { name: 'the phone of each driver, the first one again', seen: ownPhones },
  {
    name: 'a second phone that is in another car before',
    seen: [
      seenBy('a', 'ana', [{ from: 0, to: stop2.from + takenOut }]),
      seenBy('b', 'ben', [
        { from: 150, to: 900 },
        { from: stop2.to, to: endS },
      ]),
    ],
  },
])('with $name', ({ seen }) => {
  test('laps of the car and times of the drivers are the true ones', () => {
    expect(figuresOf(raceOf(seen, changes))).toEqual(truth)
  })

  test('no time counts as two laps or for two drivers', () => {
    const car = raceOf(seen, changes)
    const laps = car.laps.map(({ startedAt, timeMs }) => [startedAt, startedAt + timeMs])
    const stints = stintsOf(car, endS * second).map(({ from, to }) => [from, to ?? endS * second])
    for (const each of [laps, stints])
      for (const [index, [from = 0]] of each.entries())
        expect(from).toBeGreaterThanOrEqual(each[index - 1]?.[1] ?? 0)
  })
})

test('drivers who bring their own phones need no entries', () => {
  expect(figuresOf(raceOf(ownPhones))).toEqual(truth)
})

test('a session by mistake changes nothing, and what was entered on its page counts', () => {
  const seen = [...onePhone, seenBy('m', 'mia', [])]
  const onItsPage = changes.map(change => ({ ...change, sessionId: 'm' }))
  expect(figuresOf(raceOf(seen, onItsPage))).toEqual(truth)
})
