import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { driveRace } from '#testing/races.ts'
import { CircuitFinder } from '../circuits/circuitFinder.ts'
import { FixedCircuit } from '../circuits/fixedCircuit.ts'
import type { CircuitSource } from '../circuits/foundCircuit.ts'
import type { RacingFix } from '../fix.ts'
import { LiveDrive } from './liveDrive.ts'

const laps = Array.from({ length: 7 }, (_, lap) => ({
  pace: 0.93 + 0.05 * Math.sin(lap),
  ...(lap === 4 && { pitStopS: 40 }),
}))
const pits = { inM: 100, outM: 500, boxM: 300, besideM: 20, limitMps: 60 / 3.6 }
const { outline } = zolder
const { fixes, visits: pitRaceVisits } = driveRace({
  outline,
  laps,
  pits,
  whiteM: 1,
  accuracyM: 4,
  startShare: 0.4,
})
/** The same drive where no circuit is known. */
const elsewhere = fixes.map(fix => ({ ...fix, latitude: fix.latitude - 1 }))
const otherLine = { id: 'ours', outline, line: outline[60]! }

/** Everything that a screen shows of a drive. */
function shown({ laps, pitStops, isPoor, crossedAtMs, newestAtMs, ...drive }: LiveDrive) {
  const sinceMs = laps.at(-1)!.startedAtMs + laps.at(-1)!.timeMs
  const full = laps.filter(({ kind }) => kind === 'full')
  const delta = full.map(({ startedAtMs }) => startedAtMs)
  return { laps, pitStops, isPoor, crossedAtMs, newestAtMs, sinceMs, delta, ...drive }
}

function inOnePiece(source: CircuitSource, all: readonly RacingFix[]): LiveDrive {
  const drive = new LiveDrive(source)
  for (const fix of all) {
    drive.add(fix)
    drive.catchUp(Number.POSITIVE_INFINITY)
  }
  return drive
}

const random = [3, 17, 40, 111].map(seed => ({ seed }))

describe.each(random)('pieces of up to $seed fixes', ({ seed }) => {
  /** Sizes of pieces that differ from one another. */
  const sizes = Array.from({ length: 997 }, (_, index) => (index * seed * 7919) % (seed + 1))

  test('a circuit that becomes known late gives the same laps, while fixes arrive', () => {
    const expected = inOnePiece(new FixedCircuit(otherLine), fixes)
    for (const lateAt of [1, 150, 420, fixes.length - 1]) {
      const drive = new LiveDrive(new CircuitFinder())
      for (const [index, fix] of fixes.entries()) {
        if (index === lateAt) drive.retime(new FixedCircuit(otherLine))
        drive.add(fix)
        drive.catchUp(sizes[index % sizes.length]!)
      }
      drive.catchUp(Number.POSITIVE_INFINITY)
      expect(shown(drive)).toEqual(shown(expected))
    }
  })

  test('a learned circuit gives the same laps, while fixes arrive', () => {
    const expected = inOnePiece(new CircuitFinder(), elsewhere)
    const drive = new LiveDrive(new CircuitFinder())
    for (const [index, fix] of elsewhere.entries()) {
      drive.add(fix)
      drive.catchUp(sizes[index % sizes.length]!)
    }
    drive.catchUp(Number.POSITIVE_INFINITY)
    expect(drive.laps.length).toBeGreaterThan(4)
    expect(drive.laps).toEqual(expected.laps)
    expect(drive.pitStops).toEqual(expected.pitStops)
  })
})

test('laps stay on the screen while they are timed again', () => {
  const drive = inOnePiece(new FixedCircuit({ ...otherLine, line: zolder.startFinish }), fixes)
  const before = drive.laps
  drive.retime(new FixedCircuit(otherLine))
  drive.catchUp(100)
  expect(drive.isBehind).toBe(true)
  expect(drive.laps).toBe(before)
  drive.catchUp(Number.POSITIVE_INFINITY)
  expect(drive.isBehind).toBe(false)
  expect(drive.laps).not.toEqual(before)
})

test('a drive without a source keeps its fixes for a later one', () => {
  const drive = new LiveDrive(null)
  for (const fix of fixes) drive.add(fix)
  expect(drive.laps).toEqual([])
  drive.retime(new FixedCircuit(otherLine))
  drive.catchUp(Number.POSITIVE_INFINITY)
  expect(shown(drive)).toEqual(shown(inOnePiece(new FixedCircuit(otherLine), fixes)))
})

test('seconds after the pit exit a visit has ended, and its end is corrected later', () => {
  const [truth] = pitRaceVisits
  const until = (atMs: number) =>
    inOnePiece(
      new FixedCircuit(otherLine),
      fixes.filter(fix => fix.atMs < atMs),
    ).pitStops.at(-1)
  expect(until(truth!.endedAtMs + 3000)).toMatchObject({ endedAtMs: null })
  const about = until(truth!.endedAtMs + 9000)?.endedAtMs ?? 0
  expect(about - truth!.endedAtMs).toBeGreaterThan(0)
  expect(about - truth!.endedAtMs).toBeLessThan(6000)
  const corrected = until(Number.POSITIVE_INFINITY)?.endedAtMs ?? 0
  expect(Math.abs(corrected - truth!.endedAtMs)).toBeLessThan(3000)
})
