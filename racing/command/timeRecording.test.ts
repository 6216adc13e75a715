import { expect, test } from 'vitest'
import { zolder } from '#contract/circuits/zolder.ts'
import { distanceM } from '#contract/shared/places/geo.ts'
import { driveAround } from '#testing/drives.ts'
import { timeRecording } from './timeRecording.ts'

const fixes = driveAround(zolder, { laps: 3, hz: 1 }).map(fix => ({
  ...fix,
  headingDeg: null,
  accuracyM: 3,
}))

/** A place half a lap after the line of the circuit. */
const elsewhere = zolder.outline[Math.floor(zolder.outline.length / 2)]!

function startOf({ laps, circuit }: ReturnType<typeof timeRecording>) {
  const { startedAtMs } = laps.find(({ kind }) => kind === 'full')!
  return {
    line: circuit!.track.plane.toPosition(circuit!.gate.point),
    atMs: startedAtMs,
  }
}

test('a given line moves the line of the shipped circuit that is found', () => {
  const found = timeRecording(fixes, {})
  const moved = timeRecording(fixes, { line: elsewhere })
  expect(moved.name).toBe(found.name)
  expect(moved.name).not.toBeNull()
  expect(Math.abs(moved.circuit!.track.lengthM - found.circuit!.track.lengthM)).toBeLessThan(1)
  expect(distanceM(startOf(moved).line, elsewhere)).toBeLessThan(1)
  expect(startOf(moved).atMs).not.toBeCloseTo(startOf(found).atMs, -3)
})

test('laps begin at the line of a circuit file, with its pit lane', () => {
  const { outline } = zolder
  const gates = { line: elsewhere, 'pit-in': outline.at(-20)!, 'pit-out': outline[20]! }
  const timed = timeRecording(fixes, { circuit: { outline, gates } })
  expect(distanceM(startOf(timed).line, elsewhere)).toBeLessThan(1)
  expect(timed.circuit!.pitLane).toBeDefined()
  const start = zolder.startFinish
  const moved = timeRecording(fixes, { circuit: { outline, gates }, line: start })
  expect(distanceM(startOf(moved).line, start)).toBeLessThan(1)
})

test('a gate that is not at the circuit is refused', () => {
  const { outline } = zolder
  const far = { latitude: 50.9, longitude: 5.2 }
  for (const given of [{ line: far }, { circuit: { outline, gates: { line: far } } }])
    expect(() => timeRecording(fixes, given)).toThrow('Give a position on the circuit')
})
