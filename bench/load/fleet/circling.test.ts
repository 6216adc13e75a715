import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { fixJson, offsetAt } from './circling.ts'

const startMs = Date.UTC(2026, 10, 26)

/** Times a car that reports once a second, from a share of its drive on. */
function timed(share: number, fromS: number, untilS: number) {
  const timer = new DriveTimer(new FixedCircuit({ ...zolder, line: zolder.startFinish }))
  const offset = offsetAt(startMs, share)
  const add = (atMs: number) => {
    const { la, lo, v, h, ac } = JSON.parse(fixJson(1, atMs, offset))
    const speedMps = v / kmhPerMps
    const fix = { atMs, latitude: la, longitude: lo, speedMps, headingDeg: h, accuracyM: ac }
    return timer.add(fix)
  }
  for (let second = fromS; second < untilS; second++)
    // The circuit changed: all fixes must be added again.
    if (!add(startMs + second * 1000)) for (let n = fromS; n <= second; n++) add(startMs + n * 1000)
  return timer
}

test('at the start of the drive a car has completed laps and is stopped in the pits', () => {
  const { laps, pitVisits } = timed(0, -300, 1)
  expect(laps.some(({ kind }) => kind === 'full')).toBe(true)
  expect(pitVisits).toEqual([{ startedAtMs: expect.any(Number), endedAtMs: null }])
  expect(JSON.parse(fixJson(1, startMs, offsetAt(startMs, 0))).v).toBe(0)
})

test('about one car in twenty is in the pits at any time', () => {
  const shares = Array.from({ length: 200 }, (_, n) => n / 200)
  const inPits = shares.filter(share => timed(share, -300, 0).pitVisits.at(-1)?.endedAtMs === null)
  expect(inPits.length).toBeGreaterThan(6)
  expect(inPits.length).toBeLessThan(16)
})
