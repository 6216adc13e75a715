import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { distanceM, planeAround } from '#contract/shared/geo.ts'
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

/** A circle of 450 m, driven in `lapS` seconds at two positions a second. */
function circle(lapS: number, laps: number) {
  const { toPosition } = planeAround({ latitude: 47.2, longitude: 8.4 })
  const radiusM = 450 / (2 * Math.PI)
  return Array.from({ length: Math.ceil(lapS * laps * 2) }, (_, index) => {
    const turn = (2 * Math.PI * index) / (2 * lapS)
    const point = { eastM: radiusM * Math.sin(turn), northM: radiusM * Math.cos(turn) }
    const speedMps = 450 / lapS
    return {
      ...toPosition(point),
      atMs: 500 * index,
      speedMps,
      headingDeg: null,
      accuracyM: 3,
    }
  })
}

test('laps under 5 s end the timing', () => {
  const outline = circle(6, 1)
  const timed = timeRecording(circle(4.5, 60), { circuit: { outline, gates: {} } })
  expect(timed.stopped).toBe('laps-too-short')
  expect(timed.laps.length).toBeLessThan(10)
  expect(timeRecording(circle(6, 20), {})).toMatchObject({ stopped: null })
})

test('a recording has at most 5,000 laps', () => {
  const timed = timeRecording(circle(6, 5010), {})
  expect(timed.stopped).toBe('too-many-laps')
  expect(timed.laps.length).toBe(5000)
})

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
