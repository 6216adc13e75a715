import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { pointAtProgress } from '#contract/shared/track.ts'
import { driveAround, durationMs } from '#testing/drives.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { FixedCircuit } from '../circuits/fixedCircuit.ts'
import type { CircuitSource } from '../circuits/foundCircuit.ts'
import type { GivenCircuit } from '../circuits/givenCircuit.ts'
import { circuitFrom, type Line } from '../circuits/outline.ts'
import type { RacingFix } from '../fix.ts'
import { DriveTimer } from './driveTimer.ts'

const lapMs = durationMs(driveAround(zolder))

/** Laps of Zolder, or of the same circuit a degree farther south, where no circuit is shipped. */
function drive({ laps = 4, elsewhere = false } = {}): RacingFix[] {
  return driveAround(zolder, { laps, hz: 1, noiseM: 1 }).map(sample => ({
    ...sample,
    latitude: sample.latitude - (elsewhere ? 1 : 0),
    headingDeg: null,
    accuracyM: 3,
  }))
}

function timed(
  fixes: readonly RacingFix[],
  source: CircuitSource = new CircuitFinder(),
): DriveTimer {
  const timer = new DriveTimer(source)
  addAll(timer, fixes)
  return timer
}

function addAll(timer: DriveTimer, fixes: readonly RacingFix[]) {
  for (let index = 0; index < fixes.length; ) index = timer.add(fixes[index]!) ? index + 1 : 0
}

test('a drive on a shipped circuit is timed at its line, from the first fix on', () => {
  const { circuit, laps } = timed(drive())
  expect(circuit?.shipped?.id).toBe('zolder')
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full'])
  expect(laps[0]?.startedAtMs).toBe(0)
  for (const { timeMs } of laps.slice(1)) expect(Math.abs(timeMs - lapMs)).toBeLessThan(300)
})

test('a car in the paddock of a shipped circuit is not on it yet', () => {
  const [first] = drive()
  const parked = Array.from({ length: 600 }, (_, second) => ({
    ...first!,
    atMs: second * 1000,
    speedMps: 0,
  }))
  expect(timed(parked).circuit).toBeNull()
})

const given: GivenCircuit = { id: 'ours', outline: zolder.outline, line: zolder.startFinish }

test('a circuit of the team is found before a shipped one', () => {
  const { circuit, laps } = timed(drive(), new CircuitFinder([given]))
  expect(circuit).toMatchObject({ given, shipped: null })
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full'])
})

test('a fixed circuit is known before the first fix, and stays', () => {
  const timer = new DriveTimer(new FixedCircuit(given))
  expect(timer.circuit?.given).toBe(given)
  for (const fix of drive()) expect(timer.add(fix)).toBe(true)
  expect(timer.laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full'])
  const elsewhere = drive({ elsewhere: true, laps: 8 })
  expect(timed(elsewhere, new FixedCircuit(given))).toMatchObject({ laps: [], circuit: { given } })
})

test('a circuit that is given with another line is timed there, also between two ends', () => {
  const { track, gate } = circuitFrom(zolder.outline, zolder.outline[60])
  const end = (byM: number) =>
    track.plane.toPosition({
      eastM: gate.point.eastM - byM * gate.direction.northM,
      northM: gate.point.northM + byM * gate.direction.eastM,
    })
  const start = (line: Line) =>
    timed(drive(), new FixedCircuit({ ...given, line })).laps[1]?.startedAtMs
  const atPoint = start(track.plane.toPosition(gate.point))!
  expect(
    Math.abs(atPoint - timed(drive(), new FixedCircuit(given)).laps[1]!.startedAtMs),
  ).toBeGreaterThan(5000)
  for (const line of [
    [end(8), end(-8)],
    [end(-12), end(12)],
  ] as const) {
    expect(Math.abs(start(line)! - atPoint)).toBeLessThan(20)
  }
  // A line without a length, and one along the road.
  const ahead = track.plane.toPosition(pointAtProgress(track, 10 / track.lengthM))
  const behind = track.plane.toPosition(pointAtProgress(track, -10 / track.lengthM))
  for (const line of [
    [end(0), end(0)],
    [behind, ahead],
  ] as const) {
    expect(Math.abs(start(line)! - atPoint)).toBeLessThan(50)
  }
})

test('an outline of two positions is refused', () => {
  const outline = zolder.outline.slice(0, 2)
  expect(() => new CircuitFinder([{ ...given, outline }])).toThrow(RangeError)
})

test('another circuit is learned, and its line stays while the outline improves', () => {
  const fixes = drive({ laps: 8, elsewhere: true })
  const timer = timed(fixes.slice(0, 200))
  const early = timer.circuit
  expect(early).not.toBeNull()
  const { circuit, laps } = timed(fixes)
  expect(circuit?.shipped).toBeNull()
  expect(circuit?.outline).not.toEqual(early?.outline)
  expect(distanceM(lineOf(circuit), lineOf(early))).toBeLessThan(5)
  expect(laps.filter(({ kind }) => kind === 'full').length).toBeGreaterThanOrEqual(6)
})

test('a longer drive adds laps and changes none of the earlier ones', () => {
  const fixes = drive({ laps: 12, elsewhere: true })
  const timer = timed(fixes.slice(0, 800))
  const early = [...timer.laps]
  addAll(timer, fixes.slice(800))
  expect(early.length).toBeGreaterThan(3)
  expect(timer.laps.slice(0, early.length)).toEqual(early)
  expect(timer.laps).toEqual(timed(fixes).laps)
})

function lineOf(circuit: DriveTimer['circuit']) {
  const { track, gate } = circuit!
  return track.plane.toPosition(gate.point)
}
