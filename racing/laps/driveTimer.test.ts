import { expect, test } from 'vitest'
import { zolder } from '#contract/circuits/zolder.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { driveAround, durationMs } from '#testing/drives.ts'
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

function timed(fixes: readonly RacingFix[]): DriveTimer {
  const timer = new DriveTimer()
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
