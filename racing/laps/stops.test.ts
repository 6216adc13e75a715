import { describe, expect, test } from 'vitest'
import { pitRace } from '#testing/live/pitRace.ts'
import { Stops } from './stops.ts'

const laps = [{}, { pitStopS: 90 }, {}, { pitStopS: 0 }, {}, { pitStopS: 300 }, {}]

/** Fixes at 1 Hz with these speeds in km/h. */
function stopsOf(speedsKmh: readonly number[]): Stops {
  const stops = new Stops()
  const place = { latitude: 50, longitude: 5, headingDeg: null, accuracyM: 3 }
  for (const [second, kmh] of speedsKmh.entries())
    stops.add({ ...place, atMs: second * 1000, speedMps: kmh / 3.6 })
  return stops
}

const visit = { startedAtMs: 0, endedAtMs: 100_000 }

describe.each([1, 2, 10])('at %i Hz', hz => {
  test('the stop in the box is found to the second, and none in a drive-through', () => {
    const { fixes, visits } = pitRace(laps, { hz, whiteM: 2 })
    const stops = new Stops()
    for (const fix of fixes) stops.add(fix)
    const found = stops.in(visits, false)
    expect(found.map(({ stoppedAtMs }) => stoppedAtMs !== null)).toEqual([true, false, true])
    for (const index of [0, 2]) {
      const { stop } = visits[index]!
      expect(Math.abs(found[index]!.stoppedAtMs! - stop!.fromMs)).toBeLessThan(1500)
      expect(Math.abs(found[index]!.leftAtMs! - stop!.untilMs)).toBeLessThan(1500)
    }
  })
})

test('a car at standstill has not left its box', () => {
  const [found] = stopsOf([60, 30, 0, 0, 0, 0]).in([{ ...visit, endedAtMs: null }], false)
  expect(found).toMatchObject({ stoppedAtMs: 2000, leftAtMs: null })
})

test('the longest stop is that in the box, not a queue or a red light', () => {
  const speeds = [60, 0, 0, 0, 0, 20, 20, 20, 20, 0, 0, 0, 0, 0, 0, 20, 20, 20, 20, 0, 0, 0, 0, 20]
  expect(stopsOf(speeds).in([visit], false)).toMatchObject([
    { stoppedAtMs: 9000, leftAtMs: 15_000 },
  ])
})

test('a single wrong speed does not end a stop', () => {
  const speeds = [60, 0, 0, 0, 0, 5, 0, 0, 0, 0, 20, 40]
  expect(stopsOf(speeds).in([visit], false)).toMatchObject([
    { stoppedAtMs: 1000, leftAtMs: 10_000 },
  ])
})

test('fixes that are added again change nothing', () => {
  const { fixes, visits } = pitRace(laps)
  const stops = new Stops()
  for (const fix of fixes) stops.add(fix)
  const before = stops.in(visits, false)
  for (const fix of fixes) stops.add(fix)
  expect(stops.in(visits, false)).toEqual(before)
})

test('without a known pit-out line a car has left once it is at racing speed', () => {
  const speeds = [60, 0, 0, 0, 0, 30, 60, 60, 95, 110, 120, 130, 140]
  const open = { ...visit, endedAtMs: null }
  expect(stopsOf(speeds).in([open], false)).toMatchObject([
    { endedAtMs: 8000, stoppedAtMs: 1000, leftAtMs: 5000 },
  ])
  expect(stopsOf(speeds).in([open], true)).toMatchObject([{ endedAtMs: null }])
  expect(stopsOf(speeds.slice(0, 11)).in([open], false)).toMatchObject([{ endedAtMs: null }])
  // It was that fast before it came in.
  const before = stopsOf([120, 120, 120, 120, 60, 0, 0, 0])
  expect(before.in([{ ...open, startedAtMs: 4000 }], false)).toMatchObject([{ endedAtMs: null }])
})
