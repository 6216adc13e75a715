import { describe, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { driveAround, durationMs, seeded } from '#testing/drives.ts'
import type { RacingFix } from '../fix.ts'
import { learnCircuit } from './learn.ts'

const starts = Array.from({ length: 20 }, (_, start) => start / 20)

const drives = [spaFrancorchamps, zolder].flatMap(circuit =>
  [0, 2].map(noiseM => ({ name: circuit.name, circuit, noiseM })),
)

describe.each(drives)('$name with $noiseM m of noise', ({ circuit, noiseM }) => {
  const driven = driveAround(circuit)
  const lapMs = durationMs(driven)
  const truth = trackOf(driven)
  const fixes = driveAround(circuit, { laps: 7, hz: 1, noiseM, seed: 5 }).map(
    (sample): RacingFix => ({ ...sample, headingDeg: null, accuracyM: null }),
  )
  /** The fixes of some laps and of 9 s more, from a share of a lap on. */
  const part = (start: number, laps: number) => {
    const from = Math.floor((start * lapMs) / 1000)
    return fixes.slice(from, from + Math.ceil((laps * lapMs) / 1000) + 9)
  }

  test('the first lap closes from any start, within 8 % of its length', () => {
    const learned = starts.map(start => learnCircuit(part(start, 1)))
    for (const circuitOfOneLap of learned) {
      expect(Math.abs((circuitOfOneLap?.lengthM ?? 0) / truth.lengthM - 1)).toBeLessThan(0.08)
      expect(circuitOfOneLap?.direction).toBe('clockwise')
    }
  })

  test('after five laps length and outline are known', () => {
    for (const start of starts.filter((_, index) => index % 5 === 0)) {
      const learned = learnCircuit(part(start, 5))
      expect(learned?.laps).toBeGreaterThanOrEqual(4)
      expect(Math.abs((learned?.lengthM ?? 0) / truth.lengthM - 1)).toBeLessThan(0.015)
      const offM = (learned?.outline ?? [])
        .map(point => nearestOnTrack(truth, point).offM)
        .toSorted((a, b) => a - b)
      expect(offM[Math.floor(offM.length * 0.95)]).toBeLessThan(6)
    }
  })
})

test('a lap that is not closed yet teaches nothing', () => {
  const fixes = driveAround(zolder, { hz: 1 }).map(
    (sample): RacingFix => ({ ...sample, headingDeg: null, accuracyM: null }),
  )
  expect(learnCircuit(fixes.slice(0, -5))).toBeNull()
  expect(learnCircuit([])).toBeNull()
})

test('no circuit is learned from a position that is stuck while a speed is reported', () => {
  const fixes = Array.from(
    { length: 300 },
    (_, second): RacingFix => ({
      ...zolder.startFinish,
      atMs: second * 1000,
      speedMps: 50,
      headingDeg: null,
      accuracyM: 3,
    }),
  )
  expect(learnCircuit(fixes)).toBeNull()
})

test.each([1, 2, 3])('single outliers do not lengthen the learned circuit, seed %s', seed => {
  const truth = trackOf(driveAround(zolder))
  const random = seeded(seed)
  const away = () => 200 * (random() < 0.5 ? -1 : 1) * (0.4 + random())
  const fixes = driveAround(zolder, { laps: 6, hz: 1, noiseM: 1, seed }).map(
    (sample, index): RacingFix => {
      const point = truth.plane.toPoint(sample)
      const outlier = { eastM: point.eastM + away(), northM: point.northM + away() }
      const position = index % 60 === 30 ? truth.plane.toPosition(outlier) : sample
      return { ...sample, ...position, headingDeg: null, accuracyM: null }
    },
  )
  expect(Math.abs((learnCircuit(fixes)?.lengthM ?? 0) / truth.lengthM - 1)).toBeLessThan(0.015)
})
