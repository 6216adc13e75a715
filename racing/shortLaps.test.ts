import { expect, test } from 'vitest'
import { planeAround } from '#contract/shared/geo.ts'
import { type Drive, driveAround, durationMs, sampleAt, seeded } from '#testing/drives.ts'
import { circuitFrom } from './circuits/outline.ts'
import { linePasses } from './command/linePasses.ts'
import type { RacingFix } from './fix.ts'
import { lapsOf } from './laps/lapTimer.ts'

const plane = planeAround({ latitude: 50.98, longitude: 5.25 })
const meanMps = 30

/** Returns a lap around an oval that takes this time. */
function ovalLap(seconds: number): Drive {
  // The circumference of an ellipse with half axes of 1 and 2.
  const halfWidthM = (seconds * meanMps) / 9.69
  const outline = Array.from({ length: 40 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 40
    return plane.toPosition({
      eastM: 2 * halfWidthM * Math.cos(angle),
      northM: halfWidthM * Math.sin(angle),
    })
  })
  const lap = driveAround({ outline })
  const slower = (seconds * 1000) / durationMs(lap)
  return lap.map(fix => ({ ...fix, atMs: fix.atMs * slower, speedMps: fix.speedMps / slower }))
}

/**
 * Drives for ten minutes with gaps in reception of 20 to 50 s, in which the car is up to a quarter faster or slower. Also
 * returns how far it had driven at each second, in milliseconds of its usual pace.
 */
function driveWithGaps(lap: Drive, seed: number): { fixes: RacingFix[]; drivenMs: number[] } {
  const random = seeded(seed)
  const fixes: RacingFix[] = []
  const drivenMs: number[] = []
  let gap = { from: 0, to: 0, pace: 1 }
  let ms = durationMs(lap) * random()
  for (let second = 0; second < 600; second++) {
    if (second >= gap.to) {
      const from = second + 60 + 60 * random()
      gap = { from, to: from + 20 + 30 * random(), pace: 0.75 + 0.5 * random() }
    }
    ms += 1000 * (second > gap.from ? gap.pace : 1)
    drivenMs.push(ms)
    if (second > gap.from) continue
    const sample = sampleAt(lap, ms)
    fixes.push({ ...sample, atMs: second * 1000, headingDeg: null, accuracyM: 5 })
  }
  return { fixes, drivenMs }
}

test('each pass over the line shows its own short lap', () => {
  const lap = ovalLap(8)
  const circuit = circuitFrom(lap.filter((_, index) => index % 5 === 0))
  const fixes = Array.from({ length: 80 }, (_, second): RacingFix => {
    const sample = sampleAt(lap, second * 1000 + 4000)
    return { ...sample, atMs: second * 1000, headingDeg: null, accuracyM: 5 }
  })
  const { laps } = lapsOf(fixes, circuit)
  const numbers = linePasses(circuit, fixes, laps).map(pass => pass.lap?.number)
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test.each([8, 13, 17, 24, 29])(
  'with gaps in reception, seen laps of %s s are whole ones',
  seconds => {
    const lap = ovalLap(seconds)
    const circuit = circuitFrom(lap.filter((_, index) => index % 5 === 0))
    const seeds = Array.from({ length: 50 }, (_, index) => 100 + index)
    const wrong = seeds.flatMap(seed => {
      const { fixes, drivenMs } = driveWithGaps(lap, seed)
      const full = lapsOf(fixes, circuit).laps.filter(
        ({ kind, isSeen }) => kind === 'full' && isSeen,
      )
      expect(full.length).toBeGreaterThan(150 / seconds)
      const lapsUntil = (atMs: number) => {
        const [before = 0, after = 0] = drivenMs.slice(Math.floor(atMs / 1000))
        return (before + ((after - before) * (atMs % 1000)) / 1000) / durationMs(lap)
      }
      return full
        .map(({ startedAtMs, timeMs }) => lapsUntil(startedAtMs + timeMs) - lapsUntil(startedAtMs))
        .filter(driven => Math.abs(driven - 1) > 0.05)
        .map(driven => ({ seed, driven }))
    })
    expect(wrong).toEqual([])
  },
)
