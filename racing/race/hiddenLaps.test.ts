import { describe, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { driveAround, durationMs } from '#testing/drives.ts'
import { circuitFrom } from '../circuits/outline.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { lapsOf } from '../laps/lapTimer.ts'
import { hiddenLaps, stopsOf } from './hiddenLaps.ts'
import { paceOf } from './pace.ts'

const lapMs = 100_000

function part(kind: DrivenLap['kind'], startedAt: number, timeMs = lapMs): DrivenLap {
  return { startedAt, timeMs, kind, isSeen: true, yellow: false }
}

/** Two whole laps, and one that a gap in reception interrupts after 30 s. */
const before = [part('full', 0), part('full', lapMs), part('incomplete', 2 * lapMs, 30_000)]

test('a gap within a lap hides no crossing', () => {
  const laps = [...before, part('out', 295_000, 10_000)]
  expect(hiddenLaps(laps, [])).toEqual([{ fromMs: 200_000, at: [], isCertain: true }])
})

test('laps that fit between the crossings around a gap are hidden', () => {
  const laps = [...before, part('out', 560_000, 40_000)]
  expect(hiddenLaps(laps, [])).toEqual([
    { fromMs: 200_000, at: [300_000, 400_000, 500_000], isCertain: true },
  ])
})

test('a crossing with which the path was found again is counted', () => {
  const laps = [...before, part('full', 400_000)]
  expect(hiddenLaps(laps, [])).toEqual([
    { fromMs: 200_000, at: [300_000, 400_000], isCertain: true },
  ])
})

test('a visit to the pits within a gap takes no laps', () => {
  const laps = [...before, part('out', 650_000, 50_000)]
  const visits = [{ startedAt: 350_000, endedAt: 550_000 }]
  expect(hiddenLaps(laps, visits)).toEqual([
    { fromMs: 200_000, at: [300_000, 600_000], isCertain: true },
  ])
})

test('before the first whole lap those of the planned time count', () => {
  const laps = [part('incomplete', 0, 30_000), part('out', 360_000, 40_000)]
  expect(hiddenLaps(laps, [])).toEqual([])
  const planned = [{ fromMs: 0, at: [100_000, 200_000, 300_000], isCertain: true }]
  expect(hiddenLaps(laps, [], 98_000)).toEqual(planned)
  expect(hiddenLaps(laps, [], 120_000)).toMatchObject([{ isCertain: false }])
  // The own laps show the pace as soon as there are any.
  expect(hiddenLaps([...laps, part('full', 400_000)], [], 200_000)).toEqual(planned)
})

test('at the pace of yellow laps, without another one, their number is not certain', () => {
  const [first, second, rest] = before
  const yellow = [first, second].map(lap => ({ ...part('full', 0), ...lap, yellow: true }))
  const laps = [...yellow, { ...part('incomplete', 0), ...rest }, part('out', 460_000, 40_000)]
  const at = [300_000, 400_000]
  expect(hiddenLaps(laps, [])).toEqual([{ fromMs: 200_000, at, isCertain: false }])
  expect(hiddenLaps(laps, [], 98_000)).toEqual([{ fromMs: 200_000, at, isCertain: true }])
})

test('slow laps around a gap may count as too many, which is not certain', () => {
  const yellow = before.map((lap, index) => ({ ...lap, yellow: index === 2 }))
  expect(hiddenLaps([...yellow, part('out', 380_000, 40_000)], [])).toEqual([
    { fromMs: 200_000, at: [310_000], isCertain: false },
  ])
  expect(hiddenLaps([...before, part('out', 400_000, 40_000)], [])).toEqual([
    { fromMs: 200_000, at: [320_000], isCertain: false },
  ])
})

test('only one lap fits in less time than two of the fastest, even a slow one', () => {
  const one = [{ fromMs: 200_000, at: [], isCertain: true }]
  const two = [{ fromMs: 200_000, at: [300_000], isCertain: true }]
  const yellow = before.map((lap, index) => ({ ...lap, yellow: index === 2 }))
  expect(hiddenLaps([...yellow, part('out', 350_000, 40_000)], [])).toEqual(one)
  expect(hiddenLaps([...before, part('out', 330_000, 40_000)], [])).toEqual(one)
  // At about the usual pace it is more likely that two laps were the fastest ones.
  expect(hiddenLaps([...before, part('out', 358_000, 40_000)], [])).toMatchObject([
    { at: [299_000], isCertain: true },
  ])
  expect(hiddenLaps([...before, part('out', 360_000, 40_000)], [])).toEqual(two)
})

test('two laps at the pace of the fastest one count as two, also under yellow', () => {
  const yellow = before.map((lap, index) => ({ ...lap, yellow: index === 2 }))
  expect(hiddenLaps([...yellow, part('out', 359_900, 40_000)], [])).toMatchObject([
    { fromMs: 200_000, at: [299_950] },
  ])
})

test('a lap that joins the next one, or leads off the circuit, has no gap', () => {
  expect(hiddenLaps([...before, part('out', 230_000)], [])).toEqual([])
  const parked = before.map((lap, index) => (index === 2 ? { ...lap, kind: 'in' as const } : lap))
  expect(hiddenLaps([...parked, part('out', 900_000)], [])).toEqual([])
  expect(hiddenLaps([part('incomplete', 0), part('out', 900_000)], [])).toEqual([])
})

test('laps of no time, which a fault in timing stored, are no pace', () => {
  const zero = [part('full', 0, 0), part('full', 0, 0), part('full', 0, 1)]
  const gap = [part('incomplete', 0, 30_000), part('out', 560_000, 40_000)]
  expect(hiddenLaps([...zero, ...gap], [])).toEqual([])
  expect(paceOf(zero)).toBeNull()
  expect(hiddenLaps([...zero, part('full', -lapMs), ...gap], [])).toMatchObject([
    { at: [100_000, 200_000, 300_000, 400_000, 500_000] },
  ])
})

test('a pause of the race and a visit in it are one stop', () => {
  const race = {
    pauses: [
      { from: 100, to: 200 },
      { from: 900, to: null },
    ],
  }
  const visit = (startedAt: number, endedAt: number | null) => ({ startedAt, endedAt })
  expect(stopsOf({ race: null, visits: [visit(10, 20)] })).toEqual([visit(10, 20)])
  const visits = [visit(90, 150), visit(160, 250), visit(300, 310), visit(950, 960)]
  expect(stopsOf({ race, visits })).toEqual([visit(90, 250), visit(300, 310), visit(900, null)])
})

describe.each([0.1, 0.5, 0.9])('a gap in reception from %s of a lap', fromShare => {
  test.each([0.5, 0.95, 1.5, 3, 3.6])('of %s laps hides the crossings in it', gapLaps => {
    const drive = driveAround(spaFrancorchamps, { laps: 9, hz: 1 })
    const roundMs = durationMs(driveAround(spaFrancorchamps))
    const fromMs = (3 + fromShare) * roundMs
    const toMs = fromMs + gapLaps * roundMs
    const fixes = drive
      .slice(20, -10)
      .filter(({ atMs }) => atMs < fromMs || atMs > toMs)
      .map(sample => ({ ...sample, headingDeg: null, accuracyM: null }))
    const circuit = circuitFrom(spaFrancorchamps.outline, spaFrancorchamps.startFinish)
    const laps = lapsOf(fixes, circuit).laps.map(({ startedAtMs, ...lap }) => ({
      ...lap,
      startedAt: startedAtMs,
      yellow: false,
    }))
    const crossed = Math.floor(fromShare + gapLaps)
    const hidden = hiddenLaps(laps, [])
    expect(hidden.map(({ isCertain }) => isCertain)).not.toContain(false)
    expect(hidden.flatMap(({ at }) => at)).toHaveLength(crossed)
  })
})
