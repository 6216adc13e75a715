import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { driveRace } from '#testing/races.ts'
import { circuitFrom } from '../circuits/outline.ts'
import { lapsOf } from '../laps/lapTimer.ts'
import { cleanFixes } from './cleanFixes.ts'
import type { RecordedFix } from './recordedFix.ts'
import { readRecording } from './recording.ts'

const startMs = Date.UTC(2026, 5, 20, 13)
const laps = [0.95, 0.9, 0.93, 0.92].map(pace => ({ pace }))
const whole = (hz: number) =>
  driveRace({ outline: zolder.outline, laps, startShare: 0.4, hz }).fixes.map(
    (fix): RecordedFix => ({ ...fix, atMs: fix.atMs + startMs }),
  )
const times = (fixes: readonly { atMs: number }[]) => fixes.map(({ atMs }) => atMs)
const copies = (fixes: readonly RecordedFix[]) => fixes.map(fix => ({ ...fix }))

describe('joined exports', () => {
  const fixes = whole(2)
  const third = Math.floor(fixes.length / 3)

  test.each([
    { name: 'the same one twice', parts: [fixes, fixes] },
    { name: 'in reverse order', parts: [fixes.slice(2 * third), fixes.slice(0, 2 * third)] },
    { name: 'that overlap', parts: [fixes.slice(0, 2 * third), fixes.slice(third)] },
    {
      name: 'that overlap, in reverse order',
      parts: [fixes.slice(third), fixes.slice(0, 2 * third)],
    },
    {
      name: 'three times, each with its end again',
      parts: [fixes, fixes.slice(third), fixes.slice(2 * third)],
    },
  ])('$name have each fix once, in order of time', ({ parts }) => {
    expect(times(cleanFixes(parts.flatMap(copies)))).toEqual(times(fixes))
  })

  test.each([5, 10])('of which one has only every %sth position have each fix once', every => {
    const rare = fixes.filter((_, index) => index % every === 1)
    expect(times(cleanFixes([...copies(rare), ...copies(fixes)]))).toEqual(times(fixes))
    expect(times(cleanFixes([...copies(fixes), ...copies(rare)]))).toEqual(times(fixes))
  })

  test('a copy without dates is dropped, too', () => {
    const undated = fixes.map(fix => ({ ...fix, atMs: fix.atMs - startMs }))
    expect(cleanFixes([...copies(undated), ...copies(undated)])).toHaveLength(fixes.length)
  })

  test('another drive with the same dates, of a clock that was not set, is kept', () => {
    const other = fixes.map(fix => ({ ...fix, latitude: fix.latitude + 0.01 }))
    expect(cleanFixes([...copies(fixes), ...other])).toHaveLength(2 * fixes.length)
  })

  test('laps whose times begin at 0 again follow each other', () => {
    const equal = Array.from({ length: 4 }, () => ({ pace: 0.9 }))
    const race = { outline: zolder.outline, laps: equal, hz: 10, whiteM: 0.6, driftM: 0.8 }
    const { fixes: driven, crossingsMs } = driveRace(race)
    const again = driven.map(fix => {
      const begin = crossingsMs.findLast(atMs => atMs <= fix.atMs) ?? 0
      return { ...fix, atMs: fix.atMs - begin }
    })
    const read = cleanFixes(again)
    const offsMs = read.map(({ atMs }, index) => atMs - driven[index]!.atMs)
    expect(read).toHaveLength(driven.length)
    expect(Math.max(...offsMs) - Math.min(...offsMs)).toBeLessThan(150)
  })

  test('CSV files with their own headers and columns are read as one', () => {
    const rows = fixes.map(
      ({ atMs, latitude, longitude }) =>
        [new Date(atMs).toISOString(), latitude, longitude] as const,
    )
    const text = [
      'time,latitude,longitude',
      ...rows.slice(third).map(row => row.join(',')),
      '# exported later',
      'lat,lon,timestamp',
      ...rows.slice(0, third).map(([time, north, east]) => [north, east, time].join(',')),
    ].join('\n')
    expect(times(readRecording(text))).toEqual(times(fixes))
  })
})

describe.each([1, 5, 10, 25])('at %s Hz, a clock', hz => {
  const fixes = whole(hz)
  const circuit = circuitFrom(zolder.outline, zolder.startFinish)
  const lapTimes = (all: readonly RecordedFix[]) =>
    lapsOf(cleanFixes(all), circuit)
      .laps.filter(({ kind }) => kind === 'full')
      .map(({ timeMs }) => timeMs)
  const truth = lapTimes(copies(fixes))
  // On a straight part of the second lap.
  const middleMs = startMs + 170_000

  test.each([-1, 1, -2, 2])('that is corrected by %s s changes no lap', byS => {
    const set = fixes.map(fix => ({
      ...fix,
      atMs: fix.atMs + (fix.atMs < middleMs ? 0 : byS * 1000),
    }))
    const read = lapTimes(set)
    expect(read).toHaveLength(truth.length)
    for (const [lap, timeMs] of read.entries())
      expect(Math.abs(timeMs - truth[lap]!)).toBeLessThan(60)
  })

  test.each([1, 2])('is not moved by a gap in reception of %s s', seconds => {
    for (let fromMs = startMs + 100_000; fromMs < startMs + 250_000; fromMs += 7000) {
      const gap = fixes.filter(({ atMs }) => atMs < fromMs || atMs >= fromMs + seconds * 1000)
      expect(times(cleanFixes(copies(gap)))).toEqual(times(gap))
    }
  })
})
