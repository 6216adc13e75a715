import { kmhPerMps } from '#contract/shared/fix.ts'
import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { type CarRace, carRaceOf, type StoredCarRace } from '#racing/race/carRace.ts'
import { driverTime } from '#racing/race/driverTime.ts'
import { fuelOf } from '#racing/race/fuel.ts'
import { hiddenLapsOf, raceLaps } from '#racing/race/raceLaps.ts'
import type { Run } from '#racing/race/runs.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { type MessagePeriod, yellowOf } from '#racing/timing/yellow.ts'
import { people, type SwapDay } from './swapDay.ts'
import { fuel } from './swapRace.ts'
import { TimedPhone } from './timedPhone.ts'
import type { Time, Truth } from './truth.ts'

/** Two phones see a crossing of the line within this time of each other. */
const sameCrossingMs = 2000

/** No lap is shorter than this share of the fastest one, by the errors of its crossings. */
const leastLapShare = 0.9

/** The begin or the end of a visit to the pits, as a phone sees it. */
const aroundVisitMs = 20_000

/** The true course of a day, and the ids and orders that the server has of it. */
interface Known {
  readonly truth: Truth
  /** The drivers of the roster that the people are, in their order. */
  readonly driverIds: readonly string[]
  /** When FCY, SC or Code 60 was the order to the car. */
  readonly yellow: readonly MessagePeriod[]
}

/**
 * Returns the race of the car as a phone knows it that is always in the car, with all driver changes and orders.
 */
export function trueCarRace(
  { circuit, car, startsAt, endsAt, drivers }: SwapDay,
  stored: StoredCarRace,
  { driverIds, yellow }: Pick<Known, 'driverIds' | 'yellow'>,
): CarRace {
  const phone = new TimedPhone(circuit)
  for (let at = Math.ceil(startsAt / 1000) * 1000; at < endsAt; at += 1000) {
    const { latitude, longitude, speedMps } = car.at(at)
    const speedKmh = Math.round((speedMps ?? 0) * kmhPerMps)
    phone.add([{ at, latitude, longitude, speedKmh, accuracyM: 4 }])
  }
  const [drive] = phone.moves?.drives ?? []
  const sessionId = 'the truth'
  const from = drive?.from ?? startsAt
  const seen = {
    startedAt: startsAt,
    endedAt: null,
    leftPitsAt: [from],
    lastFixAt: endsAt,
    laps: phone.laps.map(lap => ({
      ...lap,
      ...yellowOf(lap, { flags: [], messages: yellow, marksMs: [] }),
    })),
    visits: phone.visits,
  }
  return carRaceOf({
    ...stored,
    phones: [{ sessionId, ...seen }],
    runs: [{ sessionId, from, until: null, decidedBy: 'moved' }],
    stints: drivers.map(({ person, at }, index) => ({
      id: `${index}`,
      sessionId,
      driverId: driverIds[person] ?? null,
      from: index === 0 ? from : at,
      to: drivers[index + 1]?.at ?? null,
    })),
  })
}

/** Compares laps, fuel and the time of each driver at the end of a day with the truth. */
export function compareWithTruth(
  day: SwapDay,
  stored: StoredCarRace,
  { truth, driverIds, yellow }: Known,
  violate: (problem: string) => void,
): void {
  const expected = trueCarRace(day, stored, { driverIds, yellow })
  const actual = carRaceOf(stored)
  const gaps = truth.gaps(stored.runs, day.endsAt)
  const lapMs = day.circuit.fastestLapMs
  const stopsIn = ({ from, to }: Time) =>
    day.stops.filter(({ pitInAt, pitOutAt }) => pitInAt < to && pitOutAt > from)
  const lapsIn = (gap: Time) => {
    const stops = stopsIn(gap)
    // A car that was lost in the pits may have stayed there, with the phone that a person put into it while that one was
    // silent. One that is not found again may have stopped.
    const isPut = stored.runs.some(
      ({ from, decidedBy }) => decidedBy === 'person' && gap.from <= from && from < gap.to,
    )
    // Hidden laps count once the line is crossed again.
    const isLast = gap.to >= day.endsAt - lapMs
    const isUnknown = isPut || isLast || stops.some(({ pitInAt }) => pitInAt < gap.from)
    // The time for which the car stood is not known of a stop that no phone saw.
    const stood = stops.map(({ pitInAt, pitOutAt }) => Math.floor((pitOutAt - pitInAt) / lapMs))
    const unknown = isUnknown ? Math.ceil((gap.to - gap.from) / lapMs) : 0
    return stood.reduce((sum, laps) => sum + Math.max(1, laps), 1 + unknown)
  }
  const lapsOff = gaps.reduce((sum, gap) => sum + lapsIn(gap), 0)
  const compare = (what: string, value: number, right: number, within: number) => {
    if (Math.abs(value - right) <= within) return
    violate(`${what}: ${value}, but ${right} \u00b1 ${within} is right`)
  }
  compareCrossings(expected, actual, { truth, gaps, runs: stored.runs, day }, violate)
  // Laps that are not certain are no laps of the race, but count for the fuel.
  const lapsOf = (carRace: CarRace) =>
    raceLaps(carRace) +
    hiddenLapsOf(carRace).flatMap(({ at, isCertain }) => (isCertain ? [] : at)).length
  compare('laps', lapsOf(actual), lapsOf(expected), lapsOff)
  const litres = (carRace: CarRace) => fuelOf(carRace)?.leftL ?? Number.NaN
  compare('litres', litres(actual), litres(expected), lapsOff * fuel.burnL)
  for (const person of people) {
    const driverId = driverIds[person] ?? null
    const within = day.drivers.reduce((sum, change, index) => {
      const isOwn = change.person === person || day.drivers[index - 1]?.person === person
      return isOwn ? sum + aroundChange(change.at, day, actual.visits, gaps) : sum
    }, 0)
    const drivenMs = (carRace: CarRace) => driverTime(carRace, driverId, day.endsAt).drivenMs
    compare(
      `time of ${driverId}`,
      drivenMs(actual) / 1000,
      drivenMs(expected) / 1000,
      within / 1000,
    )
  }
}

/** Returns by how much the time of a driver change may differ. */
function aroundChange(
  at: number,
  { stops }: SwapDay,
  visits: readonly Visit[],
  gaps: readonly Time[],
) {
  const stop = stops.find(({ boxFrom, boxUntil }) => boxFrom <= at && at <= boxUntil)
  if (!stop) return aroundVisitMs
  const { pitInAt, pitOutAt } = stop
  const unseen = gaps.filter(({ from, to }) => from < pitOutAt + 60_000 && to > pitInAt - 60_000)
  const isKnown = visits.some(({ startedAt }) => Math.abs(startedAt - pitInAt) < aroundVisitMs)
  return unseen.reduce(
    (sum, { from, to }) => sum + to - from,
    aroundVisitMs + (isKnown && unseen.length === 0 ? 0 : pitOutAt - pitInAt),
  )
}

function compareCrossings(
  expected: CarRace,
  actual: CarRace,
  {
    truth,
    gaps,
    runs,
    day: {
      stops,
      circuit: { fastestLapMs: lapMs },
    },
  }: { truth: Truth; gaps: readonly Time[]; runs: readonly Run[]; day: SwapDay },
  violate: (problem: string) => void,
) {
  const startedAt = expected.race?.startedAt ?? 0
  const crossingsOf = ({ laps }: CarRace) =>
    crossedLaps(laps)
      .map(lap => ({ ...lap, at: lap.startedAt + lap.timeMs }))
      .filter(({ at }) => at > startedAt)
  const right = crossingsOf(expected)
  const own = crossingsOf(actual).filter(
    // Laps of a phone that drove in another car, until a person decided otherwise.
    ({ sessionId, at }) => !truth.isInOtherCar(sessionId, at),
  )
  for (const [index, { at, isSeen }] of own.entries()) {
    const before = own[index - 1]
    if (isSeen && before?.isSeen && at - before.at < leastLapShare * lapMs)
      violate(`laps ended at ${iso(before.at)} and ${iso(at)}, which no car can drive`)
  }
  const near = (all: typeof own, at: number) =>
    all.find(each => Math.abs(each.at - at) <= sameCrossingMs)
  for (const { at, number, isSeen, kind } of own) {
    const crossing = near(right, at)
    // One that ends with a stop between two phones does not end at the line.
    const isInStop = kind === 'in' && stops.some(stop => stop.pitInAt < at && at < stop.pitOutAt)
    if (isSeen && !crossing && !isInStop)
      violate(`a ${kind} lap ended at ${iso(at)}, but no lap did`)
    if (crossing && !gaps.some(({ from }) => from < at) && number !== crossing.number)
      violate(`the lap that ended at ${iso(at)} is ${number}, but ${crossing.number} is right`)
  }
  for (const [index, { at, number }] of right.entries()) {
    // One beside the pit lane is known when the next lap has ended.
    const isInStop = stops.some(stop => stop.pitInAt < at && at < stop.pitOutAt)
    const knownAt = isInStop ? (right[index + 1]?.at ?? Number.POSITIVE_INFINITY) : at
    if (truth.isCovered(runs, at) && truth.isCovered(runs, knownAt) && !near(own, at))
      violate(`lap ${number} ended at ${iso(at)}, but no lap of the car did`)
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
