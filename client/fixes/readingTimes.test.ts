import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { trustedReading } from '#contract/shared/fix.ts'
import { circuitFrom } from '#racing/circuits/outline.ts'
import { lapsOf, type TimedLap } from '#racing/laps/lapTimer.ts'
import { driveAround } from '#testing/drives.ts'
import { ReadingTimes, type ReceivedReading } from './readingTimes.ts'

const startMs = 1_700_000_000_000

interface Arriving {
  /** When the receiver took it, by its own clock. */
  readonly receiverMs: number
  readonly arrivesAtMs: number
  readonly latitude?: number
  /** How far the estimate of the server's time changed since the start. */
  readonly shiftMs?: number
}

/** A reading of a phone whose clock is right, in milliseconds since the start. */
function received({
  receiverMs,
  arrivesAtMs,
  latitude = 50.4,
  shiftMs = 0,
}: Arriving): ReceivedReading {
  return {
    reading: { latitude, longitude: 5.9, speedKmh: 100, accuracyM: 4, headingDeg: 90 },
    arrival: { at: startMs + arrivesAtMs + shiftMs },
    arrivalWallMs: startMs + arrivesAtMs,
    receiverMs: startMs + receiverMs,
  }
}

/** Returns the time of each fix since the start, and whether it is the time of its arrival. */
function timesOf(readings: readonly Arriving[]): [atMs: number, atArrival: boolean][] {
  const times = new ReadingTimes()
  return readings.map((each, index) => {
    const { time, atArrival } = times.timed(received({ latitude: 50 + index / 1000, ...each }))
    return [time.at - startMs, atArrival]
  })
}

test('a fix has the time of the receiver, not of its arrival (F4)', () => {
  expect(
    timesOf([
      { receiverMs: 0, arrivesAtMs: 180 },
      { receiverMs: 1000, arrivesAtMs: 1020 },
      { receiverMs: 2000, arrivesAtMs: 3900 },
    ]),
  ).toEqual([
    [0, false],
    [1000, false],
    [2000, false],
  ])
})

test('a phone’s clock a little behind the receiver’s moves all fixes alike (F4)', () => {
  expect(
    timesOf([
      { receiverMs: 500, arrivesAtMs: 100 },
      { receiverMs: 1500, arrivesAtMs: 1250 },
      { receiverMs: 2500, arrivesAtMs: 2100 },
    ]),
  ).toEqual([
    [100, false],
    [1100, false],
    [2100, false],
  ])
})

test.each([-60_000, -1500, 30_000])('a phone’s clock that is %s ms ahead is found out (F4)', ms => {
  const delaysMs = [150, 40, 90, 0, 200, 120, 10, 170]
  const readings = delaysMs.map((delayMs, second) => ({
    receiverMs: second * 1000 - ms,
    arrivesAtMs: second * 1000 + delayMs,
  }))
  expect(timesOf(readings)).toEqual(
    delaysMs.map((delayMs, second) =>
      second < 5 ? [second * 1000 + delayMs, true] : [second * 1000, false],
    ),
  )
})

test.each([
  ['an hour behind', -3_600_000],
  ['too late to be a delay', -2001],
  ['in the future', 501],
  ['no number', Number.NaN],
])('a receiver’s time that is %s is replaced by the arrival (F4)', (_what, offMs) => {
  expect(
    timesOf([
      { receiverMs: 0, arrivesAtMs: 50 },
      { receiverMs: 5050 + offMs, arrivesAtMs: 5050 },
      { receiverMs: 6000, arrivesAtMs: 6050 },
    ]),
  ).toEqual([
    [0, false],
    [5050, true],
    [6000, false],
  ])
})

test('a receiver’s clock that goes backward is replaced by the arrival (F4)', () => {
  expect(
    timesOf([
      { receiverMs: 1000, arrivesAtMs: 1050 },
      { receiverMs: 800, arrivesAtMs: 2050 },
      { receiverMs: 3000, arrivesAtMs: 3050 },
    ]),
  ).toEqual([
    [1000, false],
    [2050, true],
    [3000, false],
  ])
})

test('a frozen receiver’s clock is replaced by the arrival (F4)', () => {
  expect(
    timesOf([
      { receiverMs: 0, arrivesAtMs: 50 },
      { receiverMs: 0, arrivesAtMs: 1050 },
      { receiverMs: 0, arrivesAtMs: 1900, shiftMs: 2000 },
    ]),
  ).toEqual([
    [0, false],
    [1050, true],
    [3900, true],
  ])
})

test('fixes stay in order when the receiver’s clock recovers (F4)', () => {
  expect(
    timesOf([
      { receiverMs: Number.NaN, arrivesAtMs: 1000 },
      { receiverMs: 900, arrivesAtMs: 2000 },
      { receiverMs: 2900, arrivesAtMs: 3000 },
    ]),
  ).toEqual([
    [1000, true],
    [2000, true],
    [2900, false],
  ])
})

test('the same reading reported again is the same one, with the same time (F4)', () => {
  const times = new ReadingTimes()
  const first = times.timed(received({ receiverMs: 0, arrivesAtMs: 100 }))
  expect(times.timed(received({ receiverMs: 0, arrivesAtMs: 5000 }))).toBe(first)
})

test('before the server’s time is known, the phone’s own clocks are moved too (F4)', () => {
  const arrival = {
    at: startMs + 150,
    unsynced: { page: 'a', period: 0, deviceMs: 650, wallMs: startMs + 150 },
  }
  const reading = { ...received({ receiverMs: 0, arrivesAtMs: 150 }), arrival }
  expect(new ReadingTimes().timed(reading).time).toEqual({
    at: startMs,
    unsynced: { page: 'a', period: 0, deviceMs: 500, wallMs: startMs },
  })
})

/** The laps of fixes with these times. */
function lapTimes(atMs: (times: ReadingTimes, received: ReceivedReading) => number): number[] {
  const times = new ReadingTimes()
  const random = randomFrom(7)
  const fixes = driveAround(zolder, { laps: 12, hz: 1 }).map(sample => {
    const { speedMps, latitude, longitude } = sample
    const takenMs = startMs + Math.round(sample.atMs)
    const arrivalMs = takenMs + Math.round(random() * 200)
    const reading = trustedReading({ ...sample, accuracy: 4, speed: speedMps, heading: null })
    return {
      latitude,
      longitude,
      speedMps,
      headingDeg: null,
      accuracyM: 4,
      atMs: atMs(times, {
        reading,
        arrival: { at: arrivalMs },
        arrivalWallMs: arrivalMs,
        receiverMs: takenMs,
      }),
    }
  })
  const isFull = ({ kind }: TimedLap) => kind === 'full'
  const { laps } = lapsOf(fixes.slice(20, -10), circuitFrom(zolder.outline, zolder.startFinish))
  return laps.filter(isFull).map(({ timeMs }) => timeMs)
}

/** Pseudo-random numbers from 0 to 1, the same for a seed. Source: Lehmer, MINSTD. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test('arrival up to 200 ms late moves no lap by more than 10 ms', () => {
  const exact = lapTimes((_times, { receiverMs }) => receiverMs)
  const timed = lapTimes((times, received) => times.timed(received).time.at)
  const arrived = lapTimes((_times, { arrival }) => arrival.at)
  const largestMs = (laps: number[]) =>
    Math.max(...laps.map((lapMs, index) => Math.abs(lapMs - (exact[index] ?? 0))))
  expect(exact).toHaveLength(10)
  expect(timed).toHaveLength(10)
  expect(largestMs(timed)).toBeLessThanOrEqual(10)
  // With the times of arrival the laps would move.
  expect(largestMs(arrived)).toBeGreaterThan(50)
})
