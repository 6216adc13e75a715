import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import { circuitFrom } from '#racing/circuits/outline.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { lapsOf as timed } from '#racing/laps/lapTimer.ts'
import { MovesTracker } from '#racing/laps/movesTracker.ts'
import { runsOf } from '#racing/race/runs.ts'
import { type Drive, durationMs, loopOf, sampleAt } from '#testing/drives.ts'
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

test('the other phone of the car takes over at each stop', () => {
  const [, , car] = demoCars
  const { drive, stopAtMs } = lapsOf(car, 3)
  const inBoxMs = stopAtMs + 5000
  const garage = standingAt(drive, inBoxMs)
  const onward = { drive: begunAt(drive, inBoxMs), forMs: durationMs(loopOf(drive)) }
  const waiting = { ...onward, drive: garage }
  const first = [{ drive, forMs: inBoxMs }, waiting, onward]
  const second = [{ drive: garage, forMs: inBoxMs }, onward, waiting]
  const phones = [first, second].map((parts, index) => ({
    sessionId: ['first', 'second'][index]!,
    startedAt: 0,
    endedAt: null,
    moves: movesOf(parts),
  }))
  const runs = runsOf(phones, [])
  expect(runs.map(({ sessionId }) => sessionId)).toEqual(['first', 'second', 'first'])
  // The phone that is taken into the car leaves the pits within a minute.
  for (const [index, stopMs] of [inBoxMs, inBoxMs + onward.forMs].entries()) {
    const takenOverMs = runs[index + 1]!.from - stopMs
    expect(takenOverMs).toBeGreaterThan(0)
    expect(takenOverMs).toBeLessThan(60_000)
  }
})

/** How a phone moves that reports each second, in one drive after the other. */
function movesOf(parts: readonly { drive: Drive; forMs: number }[]) {
  const { outline, startFinish: line } = zolder
  const timer = new DriveTimer(
    new FixedCircuit({ id: 'zolder', outline, line }),
    each => new MovesTracker(each),
  )
  let startMs = 0
  for (const { drive, forMs } of parts) {
    const loop = loopOf(drive)
    for (let ms = 0; ms < forMs; ms += 1000)
      timer.add({ ...sampleAt(loop, ms), atMs: startMs + ms, accuracyM: 4, headingDeg: null })
    startMs += forMs
  }
  return timer.moves
}
