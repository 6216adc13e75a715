import { expect, test } from 'vitest'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { countedMs, type RaceTimes, raceClock, raceLaps } from './raceClock.ts'

const hourMs = 3_600_000
const race: RaceTimes = { lengthMs: 24 * hourMs, startedAt: 1000, pauses: [], endedAt: null }

test('a race that has not started shows its whole length', () => {
  const clock = raceClock({ ...race, startedAt: null }, 5000)
  expect(clock).toEqual({ state: 'prepared', elapsedMs: 0, leftMs: 24 * hourMs })
})

test('a race that ended without a start is over', () => {
  const clock = raceClock({ ...race, startedAt: null, endedAt: 5000 }, 9000)
  expect(clock).toMatchObject({ state: 'over', elapsedMs: 0 })
})

test('the clock counts from the start, and stays at 0 after the length of the race', () => {
  expect(raceClock(race, 61_000)).toMatchObject({ state: 'running', elapsedMs: 60_000 })
  expect(raceClock(race, 61_000).leftMs).toBe(24 * hourMs - 60_000)
  expect(raceClock(race, 25 * hourMs).leftMs).toBe(0)
})

test('a race of laps has no time left', () => {
  expect(raceClock({ ...race, lengthMs: null }, 61_000)).toMatchObject({ leftMs: null })
})

test('a paused clock stops, and continues at the same time', () => {
  const paused = { ...race, pauses: [{ from: 11_000, to: null }] }
  expect(raceClock(paused, 90_000)).toMatchObject({ state: 'paused', elapsedMs: 10_000 })
  const resumed = { ...race, pauses: [{ from: 11_000, to: 91_000 }] }
  expect(raceClock(resumed, 92_000)).toMatchObject({ state: 'running', elapsedMs: 11_000 })
})

test('a start that is corrected to a later time ignores a pause before it', () => {
  const pauses = [
    { from: 11_000, to: 21_000 },
    { from: 41_000, to: 51_000 },
  ]
  expect(raceClock({ ...race, startedAt: 31_000, pauses }, 61_000).elapsedMs).toBe(20_000)
})

test('a race that is over keeps its time, also if the clock was paused at its end', () => {
  const over = { ...race, pauses: [{ from: 11_000, to: null }], endedAt: 21_000 }
  expect(raceClock(over, 90_000)).toMatchObject({ state: 'over', elapsedMs: 10_000 })
})

test('only race time is counted, and all time without a race', () => {
  const paused = { ...race, pauses: [{ from: 11_000, to: 21_000 }], endedAt: 41_000 }
  expect(countedMs(paused, 0, 90_000)).toBe(30_000)
  expect(countedMs(paused, 12_000, 20_000)).toBe(0)
  expect(countedMs(null, 12_000, 20_000)).toBe(8000)
})

const part = (kind: DrivenLap['kind'], startedAt: number, timeMs: number): DrivenLap => {
  return { kind, startedAt, timeMs, isSeen: true, yellow: false }
}

test('laps are counted from the first crossing after the start', () => {
  const laps = [
    part('out', 0, 90_000),
    part('full', 90_000, 100_000),
    // Starts and times are rounded on their own.
    part('in', 190_000, 99_999),
    part('out', 290_000, 150_000),
    part('full', 440_000, 100_000),
    part('incomplete', 540_000, 40_000),
  ]
  const lapsSince = (startedAt: number | null, driven = laps, endedAt: number | null = null) =>
    raceLaps({ ...race, startedAt, endedAt }, driven, [])
  expect(lapsSince(95_000)).toBe(4)
  expect(lapsSince(150_000)).toBe(3)
  // The car finishes the lap that it is on when the race ends.
  expect(lapsSince(95_000, laps, 289_994)).toBe(2)
  expect(lapsSince(95_000, laps, 285_000)).toBe(2)
  expect(lapsSince(95_000, laps, 435_000)).toBe(3)
  expect(lapsSince(95_000, laps, 300_000)).toBe(3)
  // Somebody pressed some seconds after the car had crossed the line.
  expect(lapsSince(95_000, laps, 298_000)).toBe(2)
  expect(lapsSince(null)).toBe(0)
  // An out lap counts as soon as it ends at the line, but not the way to the first crossing.
  expect(lapsSince(95_000, laps.slice(0, 4))).toBe(3)
  expect(lapsSince(0, laps.slice(0, 2))).toBe(1)
})

test('a short lap that was over before the start does not count', () => {
  const laps = [0, 8000, 16_000, 24_000].map(startedAt => part('full', startedAt, 8000))
  const lapsSince = (startedAt: number) => raceLaps({ ...race, startedAt, endedAt: null }, laps, [])
  expect(lapsSince(18_000)).toBe(2)
  expect(lapsSince(23_000)).toBe(1)
})

test('the lap in which the first phone failed counts, with those until the next one', () => {
  const out = (endMs: number) => [part('out', endMs - 20_000, 20_000), part('full', endMs, 100_000)]
  const lapsSince = (endMs: number, isCertain = true, lapMs: number | null = 100_000) =>
    raceLaps({ ...race, startedAt: 0 }, out(endMs), [], {
      earlierEnd: { crossedAt: 5000, lapMs, isCertain },
    })
  expect(lapsSince(105_000)).toBe(2)
  expect(lapsSince(105_000, false, null)).toBe(2)
  expect(lapsSince(705_000)).toBe(8)
  expect(lapsSince(705_000, false)).toBe(2)
  expect(raceLaps({ ...race, startedAt: 0 }, out(105_000), [])).toBe(1)
})

test('laps that a gap in reception hid count if their number is certain', () => {
  const before = [part('full', 0, 100_000), part('incomplete', 100_000, 30_000)]
  const again = (atMs: number) => [...before, part('out', atMs - 20_000, 20_000)]
  const lapsSince = (startedAt: number, laps: DrivenLap[]) =>
    raceLaps({ ...race, startedAt, endedAt: null }, laps, [])
  expect(lapsSince(0, again(400_000))).toBe(4)
  expect(lapsSince(150_000, again(400_000))).toBe(2)
  expect(lapsSince(0, again(350_000))).toBe(2)
})
