import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { pointAtProgress, trackOf } from '#contract/shared/track.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { driveRace, type Race, type RaceLap } from '#testing/races.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { FixedCircuit } from '../circuits/fixedCircuit.ts'
import type { GivenCircuit } from '../circuits/givenCircuit.ts'
import type { RacingFix } from '../fix.ts'
import { readRecording } from '../formats/recording.ts'
import { DriveTimer } from './driveTimer.ts'
import { leftPitsAt, type Moves, settledMs } from './moves.ts'
import { MovesTracker, maxMoves } from './movesTracker.ts'

const driven = trackOf(flyingLap(zolder.outline))
const forever = Number.POSITIVE_INFINITY
const lapM = driven.lengthM
const pits = { inM: lapM - 250, outM: lapM + 250, boxM: lapM - 40, besideM: 20, limitMps: 60 / 3.6 }
const given: GivenCircuit = { id: 'zolder', outline: zolder.outline, line: zolder.startFinish }

function race(laps: readonly RaceLap[], more: Partial<Race> = {}) {
  return driveRace({ outline: zolder.outline, laps, pits, whiteM: 1, startShare: 0.3, ...more })
}

function timerOf(fixes: readonly RacingFix[]): DriveTimer {
  const timer = new DriveTimer(new FixedCircuit(given), circuit => new MovesTracker(circuit))
  for (const fix of fixes) timer.add(fix)
  return timer
}

function movesOf(fixes: readonly RacingFix[]): Moves {
  const { moves } = timerOf(fixes)
  if (!moves) throw new Error('the circuit is known')
  return moves
}

function drivesOf(fixes: readonly RacingFix[]) {
  return movesOf(fixes).drives
}

/** Moves later fixes on by the time of a stop, in which the phone stays where it was. */
function standing(fixes: readonly RacingFix[], atMs: number, forMs: number): RacingFix[] {
  const index = fixes.findIndex(each => each.atMs >= atMs)
  const here = fixes[index]!
  const stood = Array.from({ length: forMs / 1000 }, (_, second) => {
    return { ...here, atMs: here.atMs + 1000 * second, speedMps: 0 }
  })
  const later = fixes.slice(index).map(fix => ({ ...fix, atMs: fix.atMs + forMs }))
  return [...fixes.slice(0, index), ...stood, ...later]
}

/** A phone at a distance beside a place of the circuit. */
function beside(alongM: number, besideM: number) {
  const point = pointAtProgress(driven, alongM / lapM)
  const ahead = pointAtProgress(driven, (alongM + 10) / lapM)
  const east = (ahead.eastM - point.eastM) / 10
  const north = (ahead.northM - point.northM) / 10
  const eastM = point.eastM + north * besideM
  const northM = point.northM - east * besideM
  return driven.plane.toPosition({ eastM, northM })
}

function near(ms: number, within = 3000) {
  return { asymmetricMatch: (other: unknown) => Math.abs(Number(other) - ms) <= within }
}

const free = Array.from({ length: 6 }, (): RaceLap => ({}))
const stops = [{}, {}, { pitStopS: 60 }, {}, {}, {}, { pitStopS: 0 }, {}, {}]

describe.each([{ hz: 1 }, { hz: 5, driftM: 2, accuracyM: 6 }])('with $hz Hz', noise => {
  test('a phone drives from one visit to the pits to the next', () => {
    const { fixes, visits } = race(stops, noise)
    const [one, two] = visits
    expect(drivesOf(fixes)).toEqual([
      {
        from: near(fixes[0]!.atMs),
        to: near(one!.startedAtMs),
        leftPits: false,
        provenAt: near(fixes[0]!.atMs + 22_000, 10_000),
        stands: [{ from: near(one!.stop!.fromMs), to: near(one!.stop!.untilMs) }],
      },
      {
        from: near(one!.endedAtMs),
        to: near(two!.startedAtMs),
        leftPits: true,
        provenAt: near(one!.endedAtMs + settledMs),
      },
      {
        from: near(two!.endedAtMs),
        to: null,
        leftPits: true,
        provenAt: near(two!.endedAtMs + settledMs),
      },
    ])
  })
})

test('drives depend only on the fixes, not on when they are read', () => {
  const { fixes } = race(stops)
  const timer = timerOf([])
  let reads = 0
  let list = timer.moves?.drives
  for (const fix of fixes) {
    timer.add(fix)
    if (timer.moves?.drives !== list) reads += 1
    list = timer.moves?.drives
    for (const { provenAt } of list ?? []) expect(provenAt).toBeLessThanOrEqual(fix.atMs)
  }
  expect(list).toEqual(drivesOf(fixes))
  // The same list until something changed.
  expect(reads).toBeLessThan(40)
})

test('a short drive into the pits stays when their visit becomes known', () => {
  const { fixes, visits } = race(stops)
  const { startedAtMs, stop } = visits[0]!
  let certain = 0
  for (let beforeS = 15; beforeS < 45; beforeS++) {
    const own = fixes.filter(({ atMs }) => atMs > startedAtMs - 1000 * beforeS)
    const [drive] = drivesOf(own.filter(({ atMs }) => atMs < stop!.fromMs + 5000))
    if (!drive) continue
    certain += 1
    // The phone was off until the car left the pits.
    const later = own.filter(({ atMs }) => atMs > stop!.untilMs - 5000)
    const heard = [...own.filter(({ atMs }) => atMs < stop!.fromMs + 5000), ...later]
    const { from, provenAt } = drive
    expect(drivesOf(heard)[0]).toMatchObject({ from, provenAt })
  }
  expect(certain).toBeGreaterThan(10)
})

test('a drive that is not certain before a long stop stays unknown after it', () => {
  const starts = Array.from({ length: 20 }, (_, step) => 0.5 + step * 0.02)
  for (const startShare of starts) {
    const { fixes, visits } = race([{ pitStopS: 600 }, {}, {}], { startShare })
    const stop = visits[0]!.stop!
    const begun = (untilMs: number) =>
      drivesOf(fixes.filter(({ atMs }) => atMs < untilMs))
        .filter(({ from }) => from < stop.fromMs)
        .map(({ from, to, provenAt }) => ({ from, to, provenAt }))
    expect(begun(forever), `from ${startShare}`).toEqual(begun(stop.untilMs))
  }
})

test('a drive behind a safety car, or under a full-course yellow, goes on', () => {
  const { fixes } = race(free.map((_, lap) => (lap > 1 ? { limitMps: 40 / 3.6 } : {})))
  expect(drivesOf(fixes)).toMatchObject([{ leftPits: false, to: null }])
})

test('a short stop on the circuit does not end a drive, a long one does', () => {
  const { fixes } = race(free)
  const at = fixes[200]!.atMs
  expect(drivesOf(standing(fixes, at, 15_000))).toHaveLength(1)
  const long = drivesOf(standing(fixes, at, 120_000))
  expect(long).toMatchObject([
    { to: near(at, 10_000) },
    { from: near(at + 120_000, 10_000), to: null },
  ])
})

test('a silence ends a drive at its last fix', () => {
  const { fixes } = race(free)
  const from = fixes[200]!.atMs
  const silent = (forMs: number) =>
    movesOf(fixes.filter(({ atMs }) => atMs <= from || atMs >= from + forMs))
  expect(silent(59_000)).toMatchObject({ drives: [{ to: null }], silences: [] })
  const { drives, silences, lastFixAt } = silent(60_000)
  expect(silences).toEqual([{ from, to: from + 60_000 }])
  expect(drives).toMatchObject([
    { to: from },
    { from: near(from + 60_000), to: null, leftPits: false },
  ])
  expect(lastFixAt).toBe(fixes.at(-1)!.atMs)
})

test('a phone that begins in the pits leaves them', () => {
  const { fixes, visits } = race([{}, { pitStopS: 60 }, {}, {}])
  const { stop, endedAtMs } = visits[0]!
  const inBox = fixes.filter(({ atMs }) => atMs > stop!.fromMs)
  const [drive, ...more] = drivesOf(inBox)
  expect(more).toEqual([])
  expect(drive).toMatchObject({ leftPits: true, to: null })
  // The speed limit of this pit lane is that of a moving car.
  expect(drive!.from).toEqual(near(endedAtMs, 20_000))
  // Another phone in the car has settled by then.
  expect(drive!.provenAt).toBeGreaterThan(endedAtMs + settledMs)
})

test('a phone that stood has departed seconds after its car left the pits', () => {
  const { fixes, visits } = race([{}, { pitStopS: 60 }, {}, {}])
  const { stop, endedAtMs } = visits[0]!
  for (const sinceMs of [fixes[0]!.atMs, stop!.fromMs]) {
    const known = (untilMs: number) =>
      movesOf(fixes.filter(({ atMs }) => atMs >= sinceMs && atMs <= untilMs))
    expect(known(endedAtMs).departures).toEqual([])
    const departure = { from: near(endedAtMs), provenAt: near(endedAtMs + 2000, 2000) }
    expect(known(endedAtMs + 5000).departures).toEqual([departure])
    expect(leftPitsAt(known(endedAtMs + 5000))).toEqual([departure.from])
    // It leaves them once, also when its drive is certain.
    expect(known(forever).departures).toEqual([departure])
    expect(leftPitsAt(known(forever))).toHaveLength(1)
  }
})

test('a phone departs only from a standstill, and by a way', () => {
  const { fixes } = race(free)
  expect(movesOf(fixes).departures).toEqual([])
  const at = fixes[200]!.atMs
  const silent = fixes.filter(({ atMs }) => atMs < at || atMs > at + 90_000)
  expect(movesOf(silent).departures).toEqual([])
  // Its receiver is wrong for some seconds: a speed, a jump, or both.
  const here = fixes[200]!
  const inBox = Array.from({ length: 300 }, (_, second): RacingFix => {
    const isWrong = second % 60 > 50
    const place = second % 60 > 54 ? beside(lapM - 30 + 8 * (second % 60), 0) : {}
    return { ...here, ...place, speedMps: isWrong ? 20 : 0, atMs: at + 1000 * second }
  }).filter(({ atMs }) => (atMs - at) % 60_000 < 54_000)
  expect(movesOf(inBox).departures).toEqual([])
})

test('a phone that stays in the garage, walks or is away drives no more', () => {
  const { fixes, visits } = race(stops)
  const { stop, startedAtMs } = visits[0]!
  const driving = fixes.filter(({ atMs }) => atMs <= stop!.fromMs)
  const last = driving.at(-1)!
  const after = (seconds: number, of: (second: number) => Partial<RacingFix>) => [
    ...driving,
    ...Array.from({ length: seconds }, (_, second) => {
      return { ...last, speedMps: 0, ...of(second + 1), atMs: last.atMs + 1000 * (second + 1) }
    }),
  ]
  const ended = [{ to: near(startedAtMs) }]
  expect(drivesOf(after(600, () => ({})))).toMatchObject(ended)
  // To the paddock, at the speed of a walk.
  const walk = (second: number) => beside(lapM - 40, 20 + 1.4 * second)
  expect(drivesOf(after(600, second => ({ ...walk(second), speedMps: 1.4 })))).toMatchObject(ended)
  // By car, on a public road.
  const road = (second: number) => beside(lapM - 40, 20 + 20 * second)
  const byCar = movesOf(after(600, second => ({ ...road(second), speedMps: second > 60 ? 20 : 0 })))
  expect(byCar).toMatchObject({ drives: ended, departures: [] })
})

test('a phone that leaves the circuit without a visit ends its drive there', () => {
  const { fixes } = race(free)
  const driving = fixes.slice(0, 200)
  const last = driving.at(-1)!
  const plane = planeAround(last)
  const away = Array.from({ length: 120 }, (_, second): RacingFix => {
    const position = plane.toPosition({ eastM: 30 * second, northM: 500 + 30 * second })
    return { ...last, ...position, atMs: last.atMs + 1000 * (second + 1), speedMps: 30 }
  })
  expect(drivesOf([...driving, ...away])).toMatchObject([{ to: near(last.atMs, 20_000) }])
  const back = fixes.slice(200).map(fix => ({ ...fix, atMs: fix.atMs + 120_000 }))
  expect(drivesOf([...driving, ...away, ...back])).toMatchObject([
    { to: near(last.atMs, 20_000) },
    { from: near(last.atMs + 120_000, 15_000), to: null, leftPits: false },
  ])
})

test('a slow car, such as a kart, drives after a whole lap', () => {
  const { fixes } = race(free.map(() => ({ limitMps: 45 / 3.6 })))
  const [drive] = drivesOf(fixes)
  expect(drive).toMatchObject({ from: near(fixes[0]!.atMs), to: null })
  expect(drive!.provenAt - drive!.from).toEqual(near((1000 * lapM) / (45 / 3.6), 60_000))
})

test('nobody drives who walks round the circuit, or has a wandering receiver', () => {
  const { fixes } = race([{}])
  const walk = Array.from({ length: 3600 }, (_, second): RacingFix => {
    const position = beside(1.5 * second, 0)
    return { ...fixes[0]!, ...position, atMs: second * 1000, speedMps: 1.5 }
  })
  expect(drivesOf(walk)).toEqual([])
  const plane = planeAround(zolder.startFinish)
  const wandering = Array.from({ length: 3600 }, (_, second): RacingFix => {
    const point = { eastM: 24 * Math.sin(second / 9), northM: 20 * Math.sin(second / 5) }
    return { ...fixes[0]!, ...plane.toPosition(point), atMs: second * 1000, speedMps: null }
  })
  expect(drivesOf(wandering)).toEqual([])
})

test('while the circuit is not known, nothing is', () => {
  const timer = new DriveTimer(new CircuitFinder(), circuit => new MovesTracker(circuit))
  expect(timer.moves).toBeNull()
})

test('only the newest moves are kept', () => {
  const { fixes } = race([{}])
  const one = { ...fixes[0]!, speedMps: 0 }
  const rare = Array.from({ length: maxMoves + 10 }, (_, n) => ({ ...one, atMs: n * 100_000 }))
  const sinceMs = rare.at(-1)!.atMs + 1000
  const driving = fixes.map(fix => ({ ...fix, atMs: fix.atMs - fixes[0]!.atMs + sinceMs }))
  const { drives, silences } = movesOf([...rare, ...driving])
  expect(silences).toHaveLength(maxMoves)
  expect(silences.at(-1)!.to).toBe(rare.at(-1)!.atMs)
  expect(drives).toMatchObject([{ from: near(sinceMs, 10_000), to: null }])
})

test.skipIf(!process.env.LAP_FILE)('the recorded car drives from its first fix on', () => {
  const fixes = readRecording(readFileSync(process.env.LAP_FILE!, 'utf8'))
  const timer = new DriveTimer(new CircuitFinder(), circuit => new MovesTracker(circuit))
  const laps = [0, 1, 2, 3].flatMap(lap => {
    const lapMs = fixes.at(-1)!.atMs - fixes[0]!.atMs + 200
    return fixes.map(fix => ({ ...fix, atMs: fix.atMs + lap * lapMs }))
  })
  for (let index = 0; index < laps.length; ) index = timer.add(laps[index]!) ? index + 1 : 0
  expect(timer.moves?.drives).toMatchObject([{ from: near(laps[0]!.atMs, 5000), to: null }])
})
