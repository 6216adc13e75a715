import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { pointAtProgress, trackOf } from '#contract/shared/track.ts'
import { receiverNoise, seeded } from '#testing/drives.ts'
import { driveRace, type RaceLap } from '#testing/races.ts'
import { TimedPhone } from '#testing/simulation/swaps/timedPhone.ts'
import { crossedLaps } from '../laps/drivenLap.ts'
import { leftPitsAt } from '../laps/moves.ts'
import { flyingLap } from '../practice/speedProfile.ts'
import { type CarRace, carRaceOf } from './carRace.ts'
import { runsOf } from './runs.ts'

const track = trackOf(flyingLap(zolder.outline))
const { plane } = track
const lapM = Math.floor(track.lengthM)
const circuit = { id: zolder.id, outline: zolder.outline, line: zolder.startFinish }
const pits = {
  inM: lapM - 300,
  outM: lapM + 170,
  boxM: lapM,
  besideM: 18,
  limitMps: 55 / 3.6,
}
const fastestLapMs = 90_000

/** Metres beside the car, in which the other phone waits in the garage. */
const garageM = 8

/** Drives out of the pits, and in again after some laps: the car stops at these metres from the line. */
function drivenTo(boxes: readonly number[], lapsBefore: number) {
  const laps: RaceLap[] = []
  for (const boxM of boxes) {
    for (let lap = 0; lap < lapsBefore; lap++) laps.push({ pace: 0.9 + 0.01 * lap })
    laps.push({ pace: 0.9, pitStopS: 45, boxM: lapM + boxM })
  }
  laps.push({ pace: 0.9 }, { pace: 0.9 })
  return driveRace({ outline: zolder.outline, laps, pits, startShare: 0.05 })
}

/** What people decide in a race. */
interface Decided {
  /** When the person with the first phone says that it is in the car again. */
  readonly againAt: number | null
  readonly raceEndedAt: number | null
}

/** Returns the race of the car at each second. The phone in the car changes 10 s into each stop. */
function* racesOf(
  { fixes, visits }: ReturnType<typeof drivenTo>,
  seed: number,
  decided: Decided = { againAt: null, raceEndedAt: null },
) {
  const [a, b] = [pointAtProgress(track, 0), pointAtProgress(track, 10 / lapM)]
  const toGarage = {
    eastM: ((b.northM - a.northM) * garageM) / 10,
    northM: ((a.eastM - b.eastM) * garageM) / 10,
  }
  const swapsAt = visits.map(({ stop }) => (stop?.fromMs ?? 0) + 10_000)
  const boxes = visits.map(({ stop }) =>
    fixes.find(({ atMs }) => atMs > (stop?.fromMs ?? 0) + 2000),
  )
  const phones = [0, 1].map(number => ({
    number,
    sessionId: `phone ${number}`,
    timed: new TimedPhone(circuit),
    noise: receiverNoise(seeded(seed + number), { driftM: 0, whiteM: 0.9 }),
  }))
  for (const fix of fixes) {
    const at = fix.atMs
    const swaps = swapsAt.filter(each => each <= at).length
    for (const { number, timed, noise } of phones) {
      const isInCar = swaps % 2 === number
      const box = boxes[Math.max(0, swaps - 1)] ?? fix
      const place = plane.toPoint(isInCar ? fix : box)
      const { eastM, northM } = noise(at)
      const aside = isInCar ? { eastM: 0, northM: 0 } : toGarage
      const position = plane.toPosition({
        eastM: place.eastM + aside.eastM + eastM,
        northM: place.northM + aside.northM + northM,
      })
      const speedKmh = isInCar ? Math.round((fix.speedMps ?? 0) * 3.6) : 0
      timed.add([{ at, ...position, speedKmh, accuracyM: 4 }])
    }
    const until = (ms: number | null) => (ms !== null && ms <= at ? ms : null)
    const known = { againAt: until(decided.againAt), raceEndedAt: until(decided.raceEndedAt) }
    yield { at, car: carOf(phones, fixes[0]?.atMs ?? 0, known) }
  }
}

function carOf(
  all: readonly { readonly sessionId: string; readonly timed: TimedPhone }[],
  startedAt: number,
  { againAt, raceEndedAt }: Decided,
): CarRace {
  const phones = all.map(({ sessionId, timed: { moves, laps, visits } }, number) => ({
    sessionId,
    startedAt: number,
    endedAt: null,
    moves,
    lastFixAt: moves?.lastFixAt ?? null,
    leftPitsAt: moves ? leftPitsAt(moves) : [],
    laps,
    visits,
  }))
  const length = { in: 'time', ms: 3_600_000 } as const
  const again =
    againAt === null
      ? []
      : [{ correctionId: 'again', phone: 'phone 0', from: againAt, until: null }]
  return carRaceOf({
    car: null,
    race: { length, rules: noRules, startedAt, pauses: [], endedAt: raceEndedAt },
    plan: null,
    drivers: [],
    phones,
    runs: runsOf(phones, again),
    stints: [],
    otherCars: [],
    fills: [],
  })
}

describe.each([0, 2])('a change of phones in the pits after %i laps on the track', lapsBefore => {
  test.each([[[60, 60]], [[-60, -60]], [[60, -60]], [[-60, 60]]])(
    'loses and invents no lap with boxes %j m from the line',
    boxes => {
      for (const seed of [1, 21]) {
        const driven = drivenTo(boxes, lapsBefore)
        let last: CarRace | undefined
        for (const { at, car } of racesOf(driven, seed)) {
          last = car
          checkCrossings(driven, car, at)
          checkRuns(driven.visits, car, at)
          checkVisits(driven.visits, car, at)
        }
        expect(crossedLaps(last?.laps ?? [])).toHaveLength(driven.crossingsMs.length)
      }
    },
  )

  test.each([-5, 2, 30])(
    'keeps every lap when a person corrects the phone %i s after the standstill',
    afterS => {
      for (const boxes of [
        [60, 60],
        [-60, -60],
        [-60, 60],
      ]) {
        const driven = drivenTo(boxes, lapsBefore)
        const { startedAtMs, stop } = driven.visits[1] ?? { startedAtMs: 0 }
        const againAt = (stop?.fromMs ?? 0) + afterS * 1000
        const decided = { againAt, raceEndedAt: startedAtMs - 10_000 }
        let last: CarRace | undefined
        for (const { at, car } of racesOf(driven, 1, decided)) {
          last = car
          checkCrossings(driven, car, at)
        }
        expect(crossedLaps(last?.laps ?? [])).toHaveLength(driven.crossingsMs.length)
      }
    },
  )
})

/** Every crossing that is known at a time is a true one, and none before it is missing. */
function checkCrossings(
  { crossingsMs }: ReturnType<typeof drivenTo>,
  { laps }: CarRace,
  at: number,
) {
  const crossed = crossedLaps(laps)
  for (const [index, { startedAt, timeMs }] of crossed.entries()) {
    const offMs = startedAt + timeMs - (crossingsMs[index] ?? 0)
    expect(Math.abs(offMs), `crossing ${index} at ${at}`).toBeLessThan(500)
  }
  for (const { kind, timeMs } of crossed.slice(1))
    expect(timeMs, `${kind} at ${at}`).toBeGreaterThan(fastestLapMs)
}

/** The phone that leaves the pit lane is in the car at most 4 s later, and not before. */
function checkRuns(visits: ReturnType<typeof drivenTo>['visits'], { runs }: CarRace, at: number) {
  const left = (ms: number) => visits.filter(({ endedAtMs }) => endedAtMs + ms <= at).length
  expect(runs.length, `runs at ${at}`).toBeLessThanOrEqual(1 + left(0))
  const known = Math.max(1, runs.length)
  expect(known, `runs at ${at}`).toBeGreaterThanOrEqual(1 + left(4000))
}

/** A stop is seen 12 s after pit-in. Its start and end are right at every time, and the end is exact later. */
function checkVisits(visits: ReturnType<typeof drivenTo>['visits'], car: CarRace, at: number) {
  const begun = visits.filter(({ startedAtMs }) => startedAtMs + 12_000 <= at)
  expect(car.visits.length, `visits at ${at}`).toBeGreaterThanOrEqual(begun.length)
  for (const [index, { startedAt, endedAt }] of car.visits.entries()) {
    const right = visits[index]
    expect(Math.abs(startedAt - (right?.startedAtMs ?? 0)), `pit-in at ${at}`).toBeLessThan(1500)
    const pitOutMs = right?.endedAtMs ?? 0
    expect(Math.abs((endedAt ?? pitOutMs) - pitOutMs), `pit-out at ${at}`).toBeLessThan(3000)
  }
}
