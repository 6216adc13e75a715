import { describe, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { pointAtProgress, trackOf } from '#contract/shared/track.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { type DrivenRace, driveRace, type Race, type RaceLap } from '#testing/races.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { FixedCircuit } from '../circuits/fixedCircuit.ts'
import type { GivenCircuit } from '../circuits/givenCircuit.ts'
import type { RacingFix } from '../fix.ts'
import { DriveTimer } from './driveTimer.ts'

const driven = trackOf(flyingLap(zolder.outline))
const lapM = driven.lengthM
const pits = { inM: lapM - 250, outM: lapM + 250, boxM: lapM - 40, besideM: 20, limitMps: 60 / 3.6 }

/** A race of 30 laps, of which some are slow. */
const withoutStops = Array.from({ length: 30 }, (_, lap): RaceLap => {
  const pace = 0.9 + 0.05 * Math.sin(lap)
  return lap % 10 > 6 ? { pace, limitMps: 80 / 3.6 } : { pace }
})

/** Every ninth lap ends in the pits, the second one without a stop. */
const raceLaps = withoutStops.map((lap, index): RaceLap => {
  const pitStopS = [60, 0, 300][Math.floor(index / 9) % 3] ?? 0
  return index % 9 === 6 ? { ...lap, pitStopS } : lap
})

function race(more: Partial<Race> = {}): DrivenRace {
  return driveRace({ outline: zolder.outline, laps: raceLaps, pits, startShare: 0.5, ...more })
}

function timed(fixes: readonly RacingFix[], fixed?: GivenCircuit): DriveTimer {
  const timer = new DriveTimer(fixed ? new FixedCircuit(fixed) : new CircuitFinder())
  for (let index = 0; index < fixes.length; ) index = timer.add(fixes[index]!) ? index + 1 : 0
  return timer
}

/** Expects every true visit and no other, with its beginning and end within 3 s of the truth. */
function expectVisits({ pitVisits }: DriveTimer, { visits }: DrivenRace) {
  expect(pitVisits).toHaveLength(visits.length)
  for (const [index, { startedAtMs, endedAtMs }] of visits.entries()) {
    expect(Math.abs(pitVisits[index]!.startedAtMs - startedAtMs)).toBeLessThan(3000)
    expect(Math.abs((pitVisits[index]!.endedAtMs ?? 0) - endedAtMs)).toBeLessThan(3000)
  }
}

describe.each([
  { whiteM: 0, driftM: 0, accuracyM: null, hz: 1 },
  { whiteM: 2, driftM: 0, accuracyM: 5, hz: 1 },
  { whiteM: 0.5, driftM: 3, accuracyM: 8, hz: 1 },
  { whiteM: 0.5, driftM: 2, accuracyM: null, hz: 10 },
  { whiteM: 3, driftM: 1, accuracyM: 14, hz: 2 },
])('with $whiteM m of noise, $driftM m of drift, at $hz Hz', noise => {
  test('visits to a pit lane around the line are found, with in and out laps', () => {
    const truth = race(noise)
    const timer = timed(truth.fixes)
    expectVisits(timer, truth)
    const kinds = timer.laps.map(({ kind }) => kind)
    for (const lap of [6, 15, 24]) expect(kinds.slice(lap, lap + 2)).toEqual(['in', 'out'])
    expect(kinds.filter(kind => kind === 'in')).toHaveLength(3)
    expect(kinds.filter(kind => kind === 'out')).toHaveLength(4)
  })

  test('visits on another circuit, within a lap, are found', () => {
    const truth = race({
      ...noise,
      outline: spaFrancorchamps.outline,
      laps: raceLaps.slice(0, 20),
      pits: { ...pits, inM: 2800, outM: 3300, boxM: 3000, besideM: -22 },
    })
    const timer = timed(truth.fixes)
    expectVisits(timer, truth)
    expect(timer.laps.filter(({ kind }) => kind === 'pit').map(({ number }) => number)).toEqual([
      6, 15,
    ])
  })

  test('visits are found on a circuit that is learned in the same drive', () => {
    const outline = zolder.outline.map(({ latitude, longitude }) => ({
      latitude: latitude - 1,
      longitude,
    }))
    const truth = race({ ...noise, outline })
    expectVisits(timed(truth.fixes), truth)
  })

  test('a slow race without a pit stop has no visit', () => {
    expect(timed(race({ ...noise, laps: withoutStops }).fixes).pitVisits).toEqual([])
  })
})

test('a wide line counts as a pit visit only well below the usual speed', () => {
  // 20 m beside the outline for half a kilometre, once in nine laps.
  const wide = (pace: number) => {
    const laps = withoutStops.map((_, index) =>
      index % 9 === 6 ? { pace, pitStopS: 0 } : { pace: 0.95 },
    )
    return timed(race({ laps, pits: { ...pits, limitMps: 100 }, whiteM: 1, accuracyM: 4 }).fixes)
  }
  expect(wide(0.72).pitVisits).toEqual([])
  expect(wide(0.4).pitVisits).toHaveLength(3)
})

/** The pit lane of the race, as positions on its outline. */
function givenLane(shiftM = 0): GivenCircuit {
  const at = (alongM: number) => driven.plane.toPosition(pointAtProgress(driven, alongM / lapM))
  return {
    id: 'zolder-with-pits',
    outline: zolder.outline,
    line: zolder.startFinish,
    pitLane: { in: at(pits.inM + shiftM), out: at(pits.outM + shiftM) },
  }
}

test('a given pit lane sets the beginning and the end to the second', () => {
  const truth = race({ whiteM: 1, accuracyM: 5 })
  const { pitVisits } = timed(truth.fixes, givenLane())
  expect(pitVisits).toHaveLength(3)
  for (const [index, { startedAtMs, endedAtMs }] of truth.visits.entries()) {
    expect(Math.abs(pitVisits[index]!.startedAtMs - startedAtMs)).toBeLessThan(800)
    expect(Math.abs(pitVisits[index]!.endedAtMs! - endedAtMs)).toBeLessThan(800)
  }
})

test('a car that has left a known lane is known to have left some seconds later', () => {
  const laps = [{}, {}, ...[30, 60, 45, 30].flatMap(pitStopS => [{ pace: 0.93, pitStopS }, {}])]
  const { fixes, visits } = race({ laps, whiteM: 1, accuracyM: 5 })
  const { pitLane: _, ...learned } = givenLane()
  for (const circuit of [givenLane(), learned])
    for (const { endedAtMs } of visits.slice(circuit === learned ? 1 : 0)) {
      const until = (ms: number) =>
        timed(
          fixes.filter(fix => fix.atMs < endedAtMs + ms),
          circuit,
        ).pitVisits.at(-1)?.endedAtMs
      expect(until(-1000)).toBeNull()
      expect(Math.abs(until(6000)! - endedAtMs)).toBeLessThan(1500)
    }
})

test('slow passes at other places are no visits if the pit lane is given', () => {
  expect(timed(race().fixes, givenLane(1500)).pitVisits).toEqual([])
})

test('once the pit lane is known, a long stop on the circuit is not a visit', () => {
  const stop = { atM: 1800, forS: 1800 }
  const laps = raceLaps.map((lap, index) => (index === 12 ? { ...lap, stop } : lap))
  const truth = race({ laps, whiteM: 1 })
  const timer = timed(truth.fixes)
  expectVisits(timer, truth)
  expect(timer.laps[12]?.kind).toBe('pit')
})

test('a car in its box is in the pits before it drives on', () => {
  const truth = race({ laps: [{}, {}, { pitStopS: 120 }, {}] })
  const [visit] = truth.visits
  const until = (atMs: number) => timed(truth.fixes.filter(fix => fix.atMs < atMs)).pitVisits
  const stoppedMs = truth.fixes.find(({ speedMps }) => speedMps === 0)!.atMs
  expect(until(stoppedMs - 20_000)).toEqual([])
  expect(until(stoppedMs + 25_000)).toMatchObject([{ endedAtMs: null }])
  expect(Math.abs(until(stoppedMs + 25_000)[0]!.startedAtMs - visit!.startedAtMs)).toBeLessThan(
    3000,
  )
  expect(until(Number.POSITIVE_INFINITY)).toMatchObject([{ endedAtMs: expect.any(Number) }])
})

test('a lap that ended at the line before the box is known while the car stands there', () => {
  const truth = race({ laps: [{}, {}, { pitStopS: 120 }, {}], pits: { ...pits, boxM: lapM + 60 } })
  const stoppedMs = truth.fixes.find(({ speedMps }) => speedMps === 0)!.atMs
  const last = (atMs: number) => timed(truth.fixes.filter(fix => fix.atMs < atMs)).laps.at(-1)
  expect(last(stoppedMs - 30_000)).toMatchObject({ number: 1, kind: 'full' })
  const inLap = last(stoppedMs + 3000)!
  expect(inLap).toMatchObject({ number: 2, kind: 'in', endsAtLine: true })
  expect(Math.abs(inLap.startedAtMs + inLap.timeMs - truth.crossingsMs[2]!)).toBeLessThan(1000)
})

test('a visit goes on while the phone is off or the car is in the paddock', () => {
  const truth = race({ laps: [{}, {}, {}, { pitStopS: 600 }, {}, {}], whiteM: 1 })
  const stopped = truth.fixes.filter(({ speedMps }) => speedMps === 0)
  const [from, to] = [stopped[30]!.atMs, stopped.at(-30)!.atMs]
  const off = timed(truth.fixes.filter(({ atMs }) => atMs < from || atMs > to))
  expectVisits(off, truth)
})

test.each([true, false])(
  'a car found again in its box is in a stop, with a given lane: %s',
  given => {
    const laps = [{ pace: 0.9 }, { pitStopS: 43 }, {}, {}]
    const { fixes, visits } = race({ laps, whiteM: 1, accuracyM: 5, startShare: 0.1 })
    const { stop, startedAtMs, endedAtMs } = visits[0]!
    const foundMs = stop!.fromMs + 3000
    const known = fixes.filter(({ atMs }) => atMs < startedAtMs - 70_000 || atMs >= foundMs)
    const { pitLane: _, ...learned } = givenLane()
    const visitsUntil = (untilMs: number) =>
      timed(
        known.filter(({ atMs }) => atMs < untilMs),
        given ? givenLane() : learned,
      ).pitVisits
    const found = known.find(({ atMs }) => atMs >= foundMs)!.atMs
    expect(visitsUntil(foundMs + 25_000)).toEqual([{ startedAtMs: found, endedAtMs: null }])
    const [visit, ...more] = visitsUntil(Number.POSITIVE_INFINITY)
    expect(visit?.startedAtMs).toBe(found)
    expect(Math.abs(visit!.endedAtMs! - endedAtMs)).toBeLessThan(3000)
    expect(more).toEqual([])
  },
)

test('a drive that begins in the box has no visit', () => {
  const { fixes, visits } = race({ laps: [{ pitStopS: 120 }, {}, {}], whiteM: 1 })
  const fromMs = visits[0]!.stop!.fromMs + 3000
  expect(timed(fixes.filter(({ atMs }) => atMs >= fromMs)).pitVisits).toEqual([])
})

test('a phone that was carried along the circuit to its car is in no pit stop there', () => {
  const { fixes, visits } = race({ laps: [{ pitStopS: 120 }, {}, {}], whiteM: 1 })
  const { stop } = visits[0]!
  const after = fixes.filter(({ atMs }) => atMs >= stop!.fromMs + 3000)
  const [boxed] = after
  // On foot over the line, then no position under the roof of the garage.
  const startMs = boxed!.atMs - 200_000
  const walk = Array.from({ length: 120 }, (_, second): RacingFix => {
    const place = pointAtProgress(driven, (lapM - 60 + 1.4 * second) / lapM)
    const position = driven.plane.toPosition(place)
    const atMs = startMs + 1000 * second
    return { ...position, atMs, speedMps: 1.4, headingDeg: null, accuracyM: 5 }
  })
  const known = [...walk, ...after]
  const untilMs = boxed!.atMs + 25_000
  const stood = known.filter(({ atMs }) => atMs < untilMs)
  expect(timed(stood, givenLane()).pitVisits).toEqual([])
  expect(timed(known, givenLane()).pitVisits).toEqual([])
})

test('a visit has ended when the car is found again at full pace', () => {
  const laps = [{}, {}, { pitStopS: 600 }, {}, {}]
  const { fixes, visits } = race({ laps, whiteM: 1, driftM: 1.5 })
  const { stop, endedAtMs } = visits[0]!
  const isFast = ({ atMs, speedMps }: RacingFix) => atMs > endedAtMs + 10_000 && speedMps! > 30
  const found = fixes.filter(isFast).slice(0, 120)
  expect(found.length).toBeGreaterThan(100)
  for (const { atMs: foundMs } of found) {
    const isOn = ({ atMs }: RacingFix) => atMs < stop!.fromMs + 60_000 || atMs >= foundMs
    const [visit] = timed(fixes.filter(fix => isOn(fix) && fix.atMs < foundMs + 90_000)).pitVisits
    expect(visit?.endedAtMs).toBe(foundMs)
  }
})

test('a drive that ends in the pits has a visit without an end', () => {
  const truth = race({ laps: [{}, {}, {}, { pitStopS: 600 }] })
  const timer = timed(truth.fixes.filter(({ atMs }) => atMs < truth.visits[0]!.endedAtMs - 60_000))
  timer.finish()
  expect(timer.pitVisits).toMatchObject([{ endedAtMs: null }])
  expect(timer.laps.at(-1)?.kind).toBe('in')
})

test('the line is seen from a pit lane that is far beside it', () => {
  const circuit = { id: 'zolder', outline: zolder.outline, line: zolder.startFinish }
  const at = { boxM: lapM + 60, inM: lapM - 400, outM: lapM + 320, limitMps: 58 / 3.6 }
  for (const besideM of [-32, -18, 18, 32]) {
    const laps = [{}, {}, { pitStopS: 30 }, {}, {}, {}]
    const truth = race({ laps, pits: { ...pits, ...at, besideM }, whiteM: 1, startShare: 0.98 })
    const inLap = timed(truth.fixes, circuit).laps.find(lap => lap.kind === 'in')
    expect(inLap).toMatchObject({ isSeen: true, endsAtLine: true })
    const crossedMs = inLap!.startedAtMs + inLap!.timeMs
    const apartMs = Math.min(...truth.crossingsMs.map(ms => Math.abs(ms - crossedMs)))
    expect(apartMs, `${besideM} m beside the line`).toBeLessThan(500)
  }
})

test.each([30, 120])('a phone that is carried %s m back over the line sees it crossed', backM => {
  const startM = Math.round(lapM) - backM
  const laps = [{ stop: { atM: startM, forS: 20 } }, {}, {}]
  const { fixes, crossingsMs } = race({ laps, whiteM: 1, startShare: (startM - 1) / lapM })
  // It stands in the pits behind the line, and is carried to the car before it.
  const carried = Array.from({ length: 60 + (40 + backM) / 2 }, (_, second): RacingFix => {
    const alongM = 40 - 2 * Math.max(0, second - 60)
    const place = driven.plane.toPosition(pointAtProgress(driven, (lapM + alongM) / lapM))
    const speedMps = second < 60 ? 0 : 2
    const atMs = fixes[0]!.atMs + 1000 * (second - 60 - (40 + backM) / 2)
    return { ...place, atMs, speedMps, headingDeg: null, accuracyM: 5 }
  })
  const circuit = { id: 'zolder', outline: zolder.outline, line: zolder.startFinish }
  const [toLine, first, second] = timed([...carried, ...fixes], circuit).laps
  expect(toLine).toMatchObject({ number: 0, kind: 'out' })
  expect(first).toMatchObject({ number: 1, kind: 'out', isSeen: true })
  expect(Math.abs(first!.startedAtMs - crossingsMs[0]!)).toBeLessThan(300)
  expect(second).toBeUndefined()
})
