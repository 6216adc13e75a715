import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { circuitFrom } from '#racing/circuits/outline.ts'
import { lapsOf as timed } from '#racing/laps/lapTimer.ts'
import { durationMs, loopOf, sampleAt } from '#testing/drives.ts'
import { begunAt, demoCars, lapsOf, standingAt } from './race.ts'

test.each(demoCars.map((car, index) => ({ car, seed: index + 1 })))(
  'car $car.number of the demo drives whole laps, and stops in the pits',
  ({ car, seed }) => {
    const drive = loopOf(lapsOf(car, seed).drive)
    const fixes = Array.from({ length: 900 }, (_, second) => ({
      ...sampleAt(drive, second * 1000),
      accuracyM: 4,
      headingDeg: null,
    }))
    const { laps, pitVisits } = timed(fixes, circuitFrom(zolder.outline, zolder.startFinish))
    // The last lap is cut off by the end of the fixes.
    const kinds = laps.slice(0, -1).map(({ kind }) => kind)
    expect(kinds.slice(0, 3)).toEqual(['out', 'full', 'full'])
    expect(kinds).not.toContain('incomplete')
    expect(pitVisits.length).toBeGreaterThan(0)
  },
)

test('the second phone of a car goes on where the first one stands', () => {
  const [, , car] = demoCars
  const { drive, stopAtMs } = lapsOf(car, 3)
  const loop = loopOf(drive)
  const second = begunAt(drive, stopAtMs)
  expect(durationMs(second)).toBe(durationMs(loop))
  for (const afterMs of [0, 60_000, 400_000]) {
    const { latitude, longitude } = sampleAt(loop, stopAtMs + afterMs)
    expect(sampleAt(second, afterMs).latitude).toBeCloseTo(latitude, 9)
    expect(sampleAt(second, afterMs).longitude).toBeCloseTo(longitude, 9)
  }
  const { latitude } = sampleAt(loop, stopAtMs)
  expect(sampleAt(standingAt(drive, stopAtMs), 300_000)).toMatchObject({ latitude, speedMps: 0 })
})
