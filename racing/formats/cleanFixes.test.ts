import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { seeded } from '#testing/drives.ts'
import { driveRace } from '#testing/races.ts'
import { circuitFrom } from '../circuits/outline.ts'
import { lapsOf } from '../laps/lapTimer.ts'
import { cleanFixes } from './cleanFixes.ts'
import type { RecordedFix } from './recordedFix.ts'

const circuit = circuitFrom(zolder.outline, zolder.startFinish)

function drive(hz: number) {
  const laps = [0.9, 0.92, 0.91, 0.93, 0.9].map(pace => ({ pace }))
  return driveRace({ outline: zolder.outline, laps, startShare: 0.5, hz, whiteM: 0.6, driftM: 0.8 })
}

/** Expects all laps of the drive, each within 0.15 s. */
function expectLaps(fixes: readonly RecordedFix[], crossingsMs: readonly number[]) {
  const laps = lapsOf(cleanFixes(fixes), circuit).laps.filter(({ kind }) => kind === 'full')
  expect(laps).toHaveLength(crossingsMs.length - 1)
  for (const [lap, { timeMs }] of laps.entries())
    expect(Math.abs(timeMs - (crossingsMs[lap + 1]! - crossingsMs[lap]!))).toBeLessThan(150)
}

describe.each([1, 10, 25])('at %s Hz', hz => {
  const { fixes, crossingsMs } = drive(hz)
  const middleMs = (crossingsMs[1]! + crossingsMs[2]!) / 2

  test.each([3600, -3600, 20, -20, 8, -120])(
    'a clock that is set by %s s while the car drives changes no lap',
    byS => {
      const set = fixes.map(fix => ({
        ...fix,
        atMs: fix.atMs + (fix.atMs < middleMs ? 0 : byS * 1000),
      }))
      expectLaps(set, crossingsMs)
      // The clock is right afterwards.
      expect(cleanFixes(set.map(fix => ({ ...fix }))).at(-1)!.atMs).toBe(set.at(-1)!.atMs)
    },
  )

  test('a gap in reception of about one lap is not mistaken for a clock that was set', () => {
    const lapMs = crossingsMs[2]! - crossingsMs[1]!
    for (let offByMs = -3000; offByMs <= 3000; offByMs += 200) {
      const gap = fixes.filter(({ atMs }) => atMs < middleMs || atMs > middleMs + lapMs + offByMs)
      const cleaned = cleanFixes(gap.map(fix => ({ ...fix })))
      expect(cleaned.map(({ atMs }) => atMs)).toEqual(gap.map(({ atMs }) => atMs))
    }
  })

  test('positions repeated for a second leave the laps unchanged', () => {
    const { fixes: each, crossingsMs: truth } = drive(1)
    const rows = each.flatMap(fix =>
      Array.from({ length: hz }, (_, nth) => ({ ...fix, atMs: fix.atMs + (nth * 1000) / hz })),
    )
    expectLaps(rows, truth)
    expectLaps(
      rows.map(fix => ({ ...fix, speedMps: null })),
      truth,
    )
  })

  test('wrong positions before the first good one leave the laps unchanged', () => {
    const random = seeded(4)
    const plane = planeAround(zolder.startFinish)
    const anywhere = () =>
      plane.toPosition({ eastM: 30_000 * (random() - 0.5), northM: 30_000 * (random() - 0.5) })
    const cold = fixes.map((fix, index) =>
      index < 20 * hz && random() < 0.5 ? { ...fix, ...anywhere() } : { ...fix },
    )
    expectLaps(cold, crossingsMs)
  })
})

test('a lap in which a recording without dates was paused is incomplete', () => {
  const { fixes, crossingsMs } = drive(10)
  const fromMs = crossingsMs[1]! + 20_000
  const pausedMs = crossingsMs[2]! - crossingsMs[1]! + 8000
  const paused = fixes
    .filter(({ atMs }) => atMs < fromMs || atMs >= fromMs + pausedMs)
    .map(fix => ({ ...fix, atMs: fix.atMs - (fix.atMs < fromMs ? 0 : pausedMs) }))
  const { laps } = lapsOf(cleanFixes(paused), circuit)
  const [full, ...more] = laps.filter(({ kind }) => kind === 'full')
  expect(Math.abs(full!.timeMs - (crossingsMs[1]! - crossingsMs[0]!))).toBeLessThan(150)
  expect(more).toEqual([])
})

test('of two positions with one time the more accurate one is kept', () => {
  const { fixes, crossingsMs } = drive(1)
  const rows = fixes.flatMap((fix, index) => {
    const far = { ...fix, latitude: fix.latitude + 0.003, accuracyM: 800 }
    return index % 20 === 7 ? [far, { ...fix, accuracyM: 4 }] : [{ ...fix, accuracyM: 4 }]
  })
  expect(cleanFixes(rows.map(fix => ({ ...fix }))).map(({ accuracyM }) => accuracyM)).not.toContain(
    800,
  )
  expectLaps(rows, crossingsMs)
})

test('a gap in reception is not mistaken for a clock that was set', () => {
  const { fixes } = drive(10)
  const gap = fixes.filter(({ atMs }) => atMs < 150_000 || atMs > 180_000)
  expect(cleanFixes(gap.map(fix => ({ ...fix }))).map(({ atMs }) => atMs)).toEqual(
    gap.map(({ atMs }) => atMs),
  )
})

test('a time of day starts again at midnight during a gap in reception', () => {
  const { fixes } = drive(10)
  const gap = fixes.filter(({ atMs }) => atMs < 150_000 || atMs > 180_000)
  const ofDay = gap.map(fix => ({ ...fix, atMs: (fix.atMs + dayMs - 160_000) % dayMs }))
  const cleaned = cleanFixes(ofDay)
  expect(cleaned).toHaveLength(gap.length)
  expect(cleaned.at(-1)!.atMs - cleaned[0]!.atMs).toBe(gap.at(-1)!.atMs - gap[0]!.atMs)
})

test('a standing car keeps its repeated positions', () => {
  const { fixes } = drive(10)
  const first = fixes[0]!
  const parked = Array.from({ length: 600 }, (_, index) => ({
    ...first,
    latitude: first.latitude + 0.0002,
    atMs: first.atMs - 60_100 + index * 100,
    speedMps: 0,
  }))
  expect(cleanFixes([...parked, ...fixes.map(fix => ({ ...fix }))])).toHaveLength(
    parked.length + fixes.length,
  )
})

test('a speed that is always 0 is unknown while the car drives', () => {
  const { fixes, crossingsMs } = drive(5)
  const zero = fixes.map(fix => ({ ...fix, speedMps: 0 }))
  expectLaps(zero, crossingsMs)
  expect(zero.every(({ speedMps }) => speedMps === null)).toBe(true)
})

test('a speed that reads too low, as on phones, is kept', () => {
  const { fixes } = drive(1)
  const random = seeded(2)
  const low = fixes.map(fix => ({ ...fix, speedMps: fix.speedMps! * (0.4 + 0.5 * random()) }))
  const before = low.map(({ speedMps }) => speedMps)
  expect(cleanFixes(low).map(({ speedMps }) => speedMps)).toEqual(before)
})
