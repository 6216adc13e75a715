import { describe, expect, test } from 'vitest'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { type DriveSample, driveAround, durationMs } from '#testing/drives.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { circuitFrom } from '../circuits/outline.ts'
import type { RacingFix } from '../fix.ts'
import { steadyTenths } from './delta.ts'
import { LiveDrive } from './liveDrive.ts'
import { Passes } from './passes.ts'

const lapMs = durationMs(driveAround(zolder))

/** Fixes of a driver who gains or loses time evenly over each lap: `paces[n]` is the pace of lap n; 1 is the usual pace. */
function fixesOf(samples: readonly DriveSample[], paces: readonly number[] = []): RacingFix[] {
  let atMs = 0
  return samples.map((sample, index) => {
    const before = samples[index - 1]
    const pace = paces[Math.floor((sample.atMs - 1) / lapMs)] ?? 1
    atMs += (sample.atMs - (before?.atMs ?? sample.atMs)) * pace
    const { latitude, longitude, speedMps } = sample
    return { atMs, latitude, longitude, speedMps: speedMps / pace, headingDeg: null, accuracyM: 3 }
  })
}

interface Shown {
  readonly lap: number
  readonly atMs: number
  readonly deltaMs: number
}

/** The delta of each lap after the first `known` ones, against the first of them, whenever the car passed a point. */
function shownIn(fixes: readonly RacingFix[], known: number): Shown[] {
  const drive = new LiveDrive(new CircuitFinder())
  const shown: Shown[] = []
  for (const fix of fixes) {
    drive.add(fix)
    drive.catchUp(Number.POSITIVE_INFINITY)
    const laps = drive.laps.filter(({ kind }) => kind === 'full')
    const reference = laps.slice(0, known)
    const sinceMs = Math.max(drive.crossedAtMs ?? 0, laps.at(-1)?.startedAtMs ?? 0)
    if (reference.length < known || sinceMs <= (reference.at(-1)?.startedAtMs ?? 0) + 1000) continue
    const timeMs = reference.reduce((sum, lap) => sum + lap.timeMs, 0) / known
    const delta = drive.deltaIn(sinceMs, { timeMs, laps: reference })
    if (!delta || delta.deltaMs === null || delta.atMs === shown.at(-1)?.atMs) continue
    const { atMs, deltaMs } = delta
    shown.push({ atMs, deltaMs, lap: Math.floor(atMs / lapMs) })
  }
  return shown
}

describe.each(circuits)('on $name', circuit => {
  const lap = driveAround(circuit, { hz: 1 })
  const timed = circuitFrom(circuit.outline, circuit.startFinish)
  const passes = new Passes(timed)
  const wholeMs = durationMs(lap)
  for (const fix of fixesOf(driveAround(circuit, { laps: 3, hz: 1 }))) passes.add(fix)
  passes.choosePoints({ startedAtMs: wholeMs, timeMs: wholeMs })

  test('there are four to eight points, each passed once in a lap at high speed', () => {
    expect(passes.pointCount).toBeGreaterThanOrEqual(4)
    expect(passes.pointCount).toBeLessThanOrEqual(8)
    const speeds = lap.map(({ speedMps }) => speedMps).sort((a, b) => a - b)
    const median = speeds[speeds.length >> 1]!
    for (let point = 0; point < passes.pointCount; point++) {
      expect(passes.at(point)).toHaveLength(3)
      const { atMs } = passes.at(point)[0]!
      expect(lap[Math.round(atMs / 1000)]!.speedMps).toBeGreaterThan(median)
    }
  })
})

test('a driver who is 1 % faster or slower sees the gained or lost time, at each point', () => {
  const paces = [1, 1, 1, 0.99, 1.01, 1]
  const samples = driveAround(zolder, { laps: paces.length, hz: 1 })
  const shown = shownIn(fixesOf(samples, paces), 2)
  const faster = shown.filter(({ lap }) => lap === 3)
  expect(faster.length).toBeGreaterThanOrEqual(4)
  for (const { atMs, deltaMs } of faster) {
    const elapsedMs = (atMs - 3 * lapMs) / 0.99
    expect(deltaMs).toBeGreaterThan(elapsedMs * -0.01 - 60)
    expect(deltaMs).toBeLessThan(elapsedMs * -0.01 + 60)
  }
  const slower = shown.filter(({ atMs }) => atMs > 3.99 * lapMs && atMs < 5 * lapMs)
  expect(slower.at(-1)?.deltaMs).toBeGreaterThan(700)
})

test.each([
  [0, 20],
  [1, 160],
  [2, 300],
])('with %s m of noise, the deltas are right within %s ms (p95)', (noiseM, p95Ms) => {
  const errors = Array.from({ length: 8 }, (_, seed) => seed + 1).flatMap(seed => {
    const samples = driveAround(zolder, { laps: 7, hz: 1, noiseM, seed })
    return shownIn(fixesOf(samples), 1).map(({ deltaMs }) => Math.abs(deltaMs))
  })
  expect(errors.length).toBeGreaterThan(100)
  errors.sort((a, b) => a - b)
  expect(errors[Math.floor(errors.length * 0.95)]).toBeLessThan(p95Ms)
})

test('nothing is compared where the receiver is too poor for tenths', () => {
  const fixes = fixesOf(driveAround(zolder, { laps: 4, hz: 1 }))
  const poor = fixes.map(fix => (fix.atMs > 2.5 * lapMs ? { ...fix, accuracyM: 40 } : fix))
  const shown = shownIn(poor, 1)
  expect(shown.some(({ atMs }) => atMs < 2.5 * lapMs)).toBe(true)
  expect(shown.filter(({ atMs }) => atMs > 2.51 * lapMs)).toEqual([])
})

test('a target shares its time over the lap like the driven laps', () => {
  const drive = new LiveDrive(new CircuitFinder())
  for (const fix of fixesOf(driveAround(zolder, { laps: 4, hz: 1 }).slice(0, -20))) drive.add(fix)
  drive.catchUp(Number.POSITIVE_INFINITY)
  const laps = drive.laps.filter(({ kind }) => kind === 'full')
  const delta = drive.deltaIn(3 * lapMs, { timeMs: lapMs * 0.98, laps })
  expect(delta?.deltaMs).toBeCloseTo(0.02 * (delta!.atMs - 3 * lapMs), -2)
})

test('a stop on the road is not compared', () => {
  const samples = driveAround(zolder, { laps: 4, hz: 1 })
  const stopMs = 3.05 * lapMs
  const fixes = fixesOf(samples).map(fix =>
    fix.atMs > stopMs ? { ...fix, atMs: fix.atMs + 60_000 } : fix,
  )
  expect(shownIn(fixes, 1).filter(({ atMs }) => atMs > stopMs + 60_000)).toEqual([])
})

test('the shown tenths change only by a tenth or more', () => {
  expect(steadyTenths(null, -249)).toBe(-2)
  expect(steadyTenths(-2, -299)).toBe(-2)
  expect(steadyTenths(-2, -301)).toBe(-3)
  expect(steadyTenths(1, 10)).toBe(1)
  expect(steadyTenths(1, -1)).toBe(0)
  expect(Object.is(steadyTenths(null, -20), 0)).toBe(true)
})

test('the crossing of the line is known with the first fix after it', () => {
  const drive = new LiveDrive(new CircuitFinder())
  const fixes = fixesOf(driveAround(zolder, { laps: 3, hz: 1 }))
  for (const fix of fixes) {
    drive.add(fix)
    drive.catchUp(Number.POSITIVE_INFINITY)
    if (fix.atMs > 2 * lapMs) break
  }
  expect(drive.crossedAtMs).toBeCloseTo(2 * lapMs, -2)
  expect(drive.laps.at(-1)!.startedAtMs).toBeLessThan(lapMs)
})
