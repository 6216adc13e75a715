import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { distanceM, type Position } from '#contract/shared/geo.ts'
import { driveAround } from '#testing/drives.ts'
import type { RacingFix } from '../fix.ts'
import { readRecording } from '../formats/recording.ts'
import { lapsOf } from '../laps/lapTimer.ts'
import { CircuitFinder } from './circuitFinder.ts'
import { type LearnedCircuit, learnCircuit } from './learn.ts'
import { circuitFrom } from './outline.ts'

/** A drive on a circuit that is not shipped: Zolder, moved east. */
const driven = driveAround(zolder, { laps: 5, hz: 1, noiseM: 1, seed: 3 })
  .slice(20)
  .map(fix => ({ ...fix, longitude: fix.longitude + 1 }))
const closedAt = learned(driven.map(fix => ({ ...fix, headingDeg: null, accuracyM: null })))
  .outline[0]!

function learned(fixes: readonly RacingFix[]): LearnedCircuit {
  const circuit = learnCircuit(fixes)
  if (!circuit) throw new Error('No circuit was learned.')
  return circuit
}

/** Returns the drive with this reported accuracy at each place. */
function reporting(accuracyM: (place: Position) => number | null): RacingFix[] {
  return driven.map(fix => ({ ...fix, headingDeg: null, accuracyM: accuracyM(fix) }))
}

test.each([
  { name: 'without a reported accuracy', accuracyM: null },
  { name: 'with a good receiver', accuracyM: 5 },
  { name: 'with an accuracy of 0 m, which is unknown', accuracyM: 0 },
])('the line of a learned circuit is where its lap closed, $name', ({ accuracyM }) => {
  const { outline, line } = learned(reporting(() => accuracyM))
  expect(distanceM(line, outline[0]!)).toBeLessThan(0.1)
})

test('without a reported accuracy the line is where the car is fast', () => {
  const drive = driveAround(spaFrancorchamps, { laps: 4, hz: 1 })
  const fixes = drive.map(fix => ({ ...fix, headingDeg: null, accuracyM: null }))
  const slowest = Math.min(...drive.map(({ speedMps }) => speedMps))
  const start = drive.findIndex(({ speedMps }) => speedMps === slowest)
  const { outline, line } = learned(fixes.slice(start))
  const speedAt = (place: Position) =>
    drive.reduce((near, fix) => (distanceM(fix, place) < distanceM(near, place) ? fix : near))
      .speedMps
  expect(speedAt(outline[0]!)).toBeLessThan(17)
  expect(speedAt(line)).toBeGreaterThan(50)
})

test('with an equally poor receiver everywhere the line is where the car is fast', () => {
  const { line } = learned(reporting(() => 35))
  const fastest = driven.toSorted((one, other) => other.speedMps - one.speedMps).slice(0, 30)
  expect(Math.min(...fastest.map(fix => distanceM(fix, line)))).toBeLessThan(60)
})

test('the line is where the receiver is good if it is poor where the lap closed', () => {
  const isNear = (place: Position) => distanceM(place, closedAt) < 400
  const fixes = reporting(place => (isNear(place) ? 40 : 5))
  expect(isNear(learned(fixes).outline[0]!)).toBe(true)
  expect(isNear(learned(fixes).line)).toBe(false)
})

test('a drive keeps its first line when the outline is improved', () => {
  // The first lap closes at one of these places.
  const start = driven.slice(0, 45)
  const isNear = (place: Position) => start.some(fix => distanceM(fix, place) < 60)
  const finder = new CircuitFinder()
  const lines: Position[] = []
  for (const fix of reporting(place => (isNear(place) ? 40 : 5)))
    if (finder.add(fix) && finder.found)
      lines.push(finder.found.track.plane.toPosition(finder.found.gate.point))
  expect(lines.length).toBeGreaterThan(1)
  expect(isNear(lines[0]!)).toBe(false)
  for (const line of lines) expect(distanceM(line, lines[0]!)).toBeLessThan(10)
})

test.skipIf(!process.env.PHONE_FILE)('a phone’s line is where it had GPS', () => {
  const fixes = readRecording(readFileSync(process.env.PHONE_FILE!, 'utf8'))
  const { outline, line } = learned(fixes)
  const full = lapsOf(fixes, circuitFrom(outline, line)).laps.filter(({ kind }) => kind === 'full')
  expect(full).toHaveLength(8)
  expect(full.filter(({ isSeen }) => isSeen).length).toBeGreaterThanOrEqual(4)
})
