import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { distanceM } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import {
  type Drive,
  driveAround,
  durationMs,
  lapFromFile,
  loopOf,
  resample,
  sampleAt,
} from './drives.ts'

const spa = driveAround(spaFrancorchamps)

/** Returns distance, mean speed and time between consecutive samples. */
function hops(drive: Drive) {
  return drive.slice(1).map((to, index) => {
    const from = drive[index]!
    const seconds = (to.atMs - from.atMs) / 1000
    return {
      movedM: distanceM(from, to),
      meanMps: (from.speedMps + to.speedMps) / 2,
      seconds,
      from,
      to,
    }
  })
}

describe('a simulated lap', () => {
  test.each([
    ['spa-francorchamps', 145, 170],
    ['zolder', 95, 115],
  ])('of %s takes %i to %i s', (id, least, most) => {
    const seconds = durationMs(driveAround(circuits.find(circuit => circuit.id === id)!)) / 1000
    expect(seconds).toBeGreaterThan(least)
    expect(seconds).toBeLessThan(most)
  })

  test.each(circuits)('of $name keeps to the road and to speeds of a race car', circuit => {
    const track = trackOf(circuit.outline)
    for (const sample of driveAround(circuit)) {
      expect(nearestOnTrack(track, sample).offM).toBeLessThan(10)
      expect(sample.speedMps * 3.6).toBeGreaterThan(40)
      expect(sample.speedMps * 3.6).toBeLessThanOrEqual(250)
    }
  })

  test('moves at its speeds, and accelerates and brakes only as fast as a car can', () => {
    for (const { movedM, meanMps, seconds, from, to } of hops(spa)) {
      expect(Math.abs(movedM - meanMps * seconds)).toBeLessThan(0.03 * meanMps * seconds + 0.05)
      const changeMps2 = (to.speedMps - from.speedMps) / seconds
      expect(changeMps2).toBeLessThan(0.65 * 9.81)
      expect(changeMps2).toBeGreaterThan(-1.15 * 9.81)
    }
  })

  test('ends where it starts, so that laps join seamlessly', () => {
    expect(spa.at(-1)).toEqual({ ...spa[0], atMs: durationMs(spa) })
    const two = driveAround(spaFrancorchamps, { laps: 2 })
    expect(durationMs(two)).toBeCloseTo(2 * durationMs(spa), 6)
    for (const { movedM } of hops(two)) expect(movedM).toBeLessThan(8)
  })

  test('has position noise as requested, identical for the same seed', () => {
    const noisy = driveAround(spaFrancorchamps, { noiseM: 5, laps: 20, hz: 1 })
    const clean = driveAround(spaFrancorchamps, { laps: 20, hz: 1 })
    const squares = noisy.map((sample, index) => distanceM(sample, clean[index]!) ** 2)
    // The noise is 5 m per axis.
    const strayM = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length / 2)
    expect(strayM).toBeGreaterThan(4)
    expect(strayM).toBeLessThan(6)
    const again = driveAround(spaFrancorchamps, { noiseM: 5, laps: 20, hz: 1 })
    const other = driveAround(spaFrancorchamps, { noiseM: 5, laps: 20, hz: 1, seed: 2 })
    expect(again).toEqual(noisy)
    expect(other).not.toEqual(noisy)
  })

  test('a partial lap or zero samples are refused', () => {
    expect(() => driveAround(spaFrancorchamps, { laps: 0.5 })).toThrow('whole lap')
    expect(() => driveAround(spaFrancorchamps, { hz: 0 })).toThrow('samples per second')
  })
})

describe('a sample at a time', () => {
  const line: Drive = [
    { atMs: 0, latitude: 50, longitude: 5, speedMps: 10 },
    { atMs: 1000, latitude: 50.001, longitude: 5.002, speedMps: 20 },
    { atMs: 3000, latitude: 50.002, longitude: 5.002, speedMps: 30 },
  ]

  test('is interpolated between the samples of the drive', () => {
    expect(sampleAt(line, 2000)).toEqual({
      atMs: 2000,
      latitude: expect.closeTo(50.0015, 9),
      longitude: 5.002,
      speedMps: 25,
    })
  })

  test('repeats each lap, also before the start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 1, max: 2999 }),
        (lap, ms) => {
          expect(sampleAt(line, lap * 3000 + ms).latitude).toBeCloseTo(
            sampleAt(line, ms).latitude,
            9,
          )
        },
      ),
    )
  })

  test('does not jump between laps', () => {
    const lapMs = durationMs(spa)
    const before = sampleAt(spa, lapMs - 5)
    const after = sampleAt(spa, lapMs + 5)
    expect(distanceM(before, after)).toBeCloseTo(before.speedMps * 0.01, 1)
  })

  test('resampling keeps positions and duration', () => {
    const once = resample(spa, 1)
    expect(once.slice(0, 3).map(({ atMs }) => atMs)).toEqual([0, 1000, 2000])
    expect(durationMs(once)).toBe(durationMs(spa))
    expect(once[60]).toEqual(sampleAt(spa, 60_000))
    expect(once).toHaveLength(Math.ceil(durationMs(spa) / 1000) + 1)
  })
})

describe('a recorded lap', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lap-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function file(text: string) {
    const path = join(folder, 'lap.csv')
    writeFileSync(path, text)
    return path
  }

  test('is read by column names, and starts at 0', () => {
    const path = file(
      '\uFEFFlap,speed_mps,t_s,longitude_deg,latitude_deg\r\n3,33.4,100.2,5.1,50.1\r\n3,34,100.4,5.2,50.2\r\n',
    )
    expect(lapFromFile(path)).toEqual([
      { atMs: 0, latitude: 50.1, longitude: 5.1, speedMps: 33.4 },
      { atMs: 200, latitude: 50.2, longitude: 5.2, speedMps: 34 },
    ])
  })

  const columns = 't_s,latitude_deg,longitude_deg,speed_mps'
  test.each([
    ['t_s,latitude_deg,lon\n0,1,2', 'has no column longitude_deg, speed_mps'],
    ['', 'has no column t_s, latitude_deg, longitude_deg, speed_mps'],
    [`${columns}\n0,50,5,30`, 'fewer than two samples'],
    [`${columns}\n0,50,5,30\n1,50,,30`, 'line 3: “” is not a number'],
    [`${columns}\n0,50,5,30\n1,50,5`, 'line 3: “” is not a number'],
    [`${columns}\n0,50,5,fast\n`, 'line 2: “fast” is not a number'],
    [`${columns}\n0,95,5,30\n`, 'line 2: 95, 5 is not a position on earth'],
    [`${columns}\n1,50,5,30\n1,50,5,30`, 'line 3: time does not increase'],
  ])('%j is refused', (text, sentence) => {
    expect(() => lapFromFile(file(text))).toThrow(sentence)
  })

  test('that passes its start again becomes one seamless lap', () => {
    // One lap from the middle of the first lap on, and 20 s more.
    const ridden = resample(driveAround(spaFrancorchamps, { laps: 3 }), 5)
    const lapMs = durationMs(spa)
    const shifted = ridden
      .filter(({ atMs }) => atMs >= lapMs / 2 && atMs <= 1.5 * lapMs + 20_000)
      .map(sample => ({ ...sample, atMs: sample.atMs - lapMs / 2 }))
    const loop = loopOf(shifted)
    expect(durationMs(loop) / lapMs).toBeCloseTo(1, 2)
    expect(loop.at(-1)).toMatchObject({
      latitude: loop[0]!.latitude,
      longitude: loop[0]!.longitude,
    })
    for (const { movedM } of hops(loop)) expect(movedM).toBeLessThan(30)
  })

  test('that passes its start twice becomes two laps', () => {
    const lapMs = durationMs(spa)
    const second = spa.slice(1, -1).map(sample => ({ ...sample, atMs: sample.atMs + lapMs }))
    expect(durationMs(loopOf([...spa, ...second])) / lapMs).toBeCloseTo(2, 2)
  })

  test('that never passes its start again stays unchanged', () => {
    const half = spa.filter(({ atMs }) => atMs < durationMs(spa) / 2)
    expect(loopOf(half)).toBe(half)
  })

  test.skipIf(!process.env.LAP_FILE)('from LAP_FILE is a drive of a real car', () => {
    const drive = lapFromFile(process.env.LAP_FILE!)
    for (const { movedM, meanMps, seconds } of hops(drive)) {
      expect(meanMps * 3.6).toBeLessThan(320)
      expect(Math.abs(movedM - meanMps * seconds)).toBeLessThan(2 + 0.2 * meanMps * seconds)
    }
    for (const { movedM, seconds } of hops(loopOf(drive))) {
      expect(movedM).toBeLessThan(90 * seconds + 25)
    }
  })
})
