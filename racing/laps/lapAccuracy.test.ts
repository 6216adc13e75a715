import { describe, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { driveRace, type Race } from '#testing/races.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { circuitFrom } from '../circuits/outline.ts'
import type { RacingFix } from '../fix.ts'
import { DriveTimer } from './driveTimer.ts'
import { lapsOf } from './lapTimer.ts'

interface TimedLap {
  readonly errorMs: number
  readonly plusMinusMs: number
}

/** Errors of the full laps of several races at 1 Hz, whose laps differ in pace. */
function timedLaps(circuit: typeof zolder, noise: Partial<Race>): TimedLap[] {
  const laps = Array.from({ length: 21 }, (_, lap) => ({ pace: 0.93 + 0.05 * Math.sin(lap) }))
  return [1, 2, 3, 4].flatMap(seed => {
    const { outline, startFinish } = circuit
    const { fixes, crossingsMs } = driveRace({ outline, laps, startShare: 0.4, seed, ...noise })
    const full = lapsOf(fixes, circuitFrom(outline, startFinish)).laps.filter(
      ({ kind }) => kind === 'full',
    )
    expect(full).toHaveLength(19)
    return full.map(({ timeMs, plusMinusMs }, lap) => {
      const trueMs = crossingsMs[lap + 1]! - crossingsMs[lap]!
      return { errorMs: timeMs - trueMs, plusMinusMs }
    })
  })
}

function p95(laps: readonly TimedLap[]): number {
  const errors = laps.map(({ errorMs }) => Math.abs(errorMs)).toSorted((a, b) => a - b)
  return errors[Math.floor(errors.length * 0.95)]!
}

function spread(laps: readonly TimedLap[]): number {
  return Math.sqrt(laps.reduce((sum, { errorMs }) => sum + errorMs ** 2, 0) / laps.length)
}

function containedShare(laps: readonly TimedLap[]): number {
  const within = laps.filter(({ errorMs, plusMinusMs }) => Math.abs(errorMs) <= plusMinusMs)
  return within.length / laps.length
}

describe.each([spaFrancorchamps, zolder])('at 1 Hz on $name', circuit => {
  test('without noise 95 % of laps are within 20 ms', () => {
    expect(p95(timedLaps(circuit, {}))).toBeLessThanOrEqual(20)
  })

  test('with 2 m of white noise 95 % of laps are within 0.3 s and within their ±', () => {
    const laps = timedLaps(circuit, { whiteM: 2, accuracyM: 4.9 })
    expect(p95(laps)).toBeLessThanOrEqual(300)
    expect(spread(laps)).toBeLessThanOrEqual(150)
    expect(containedShare(laps)).toBeGreaterThanOrEqual(0.95)
  })

  test('with 3 m of drift laps are within 0.22 s (standard deviation) and within their ±', () => {
    const laps = timedLaps(circuit, { driftM: 3, whiteM: 0.5, accuracyM: 7.4 })
    expect(spread(laps)).toBeLessThanOrEqual(220)
    expect(containedShare(laps)).toBeGreaterThanOrEqual(0.95)
  })
})

test('an hour of a parked car with a wandering receiver has no circuit, lap or visit', () => {
  const plane = planeAround({ latitude: 45, longitude: 7 })
  const timer = new DriveTimer(new CircuitFinder())
  for (let second = 0; second < 3600; second++) {
    const angle = second / 90
    const place = { eastM: 24 * Math.sin(angle), northM: 20 * Math.sin(1.7 * angle) }
    const fix: RacingFix = {
      ...plane.toPosition(place),
      atMs: second * 1000,
      speedMps: second % 7 === 0 ? 0.9 : 0,
      headingDeg: null,
      accuracyM: 20,
    }
    expect(timer.add(fix)).toBe(true)
  }
  timer.finish()
  expect(timer).toMatchObject({ circuit: null, laps: [], pitVisits: [] })
})
