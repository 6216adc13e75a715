import { describe, expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { carRaceOf } from './carRace.ts'
import { crossingsOf } from './gaps.ts'
import { completedLaps, raceLaps } from './raceLaps.ts'
import { currentLap, finishedAt } from './raceResult.ts'

/** The race of a car with these laps, between two times. */
function carIn(
  laps: readonly DrivenLap[],
  startedAt: number | null,
  endedAt: number | null = null,
) {
  const length = { in: 'laps', laps: 100 } as const
  const race = { length, rules: noRules, startedAt, pauses: [], endedAt }
  const phone = { sessionId: 's1', startedAt: 0, endedAt: null, lastFixAt: null }
  const seen = laps.map((lap, number) => ({ ...lap, number }))
  return carRaceOf({
    ...drivenCar({ race }),
    phones: [{ ...phone, leftPitsAt: [], laps: seen, visits: [] }],
  })
}

const lapsOf = (...given: Parameters<typeof carIn>) => raceLaps(carIn(...given))

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
    lapsOf(driven, startedAt, endedAt)
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

test('a lap that ended beside the pit lane counts before the next one is known', () => {
  const laps = [part('full', 0, 100_000), part('in', 100_000, 110_000)]
  const atLine = laps.map(lap => (lap.kind === 'in' ? { ...lap, endsAtLine: true as const } : lap))
  expect(currentLap(carIn(laps, 0))).toBe(2)
  expect(currentLap(carIn(atLine, 0))).toBe(3)
  expect(lapsOf(atLine, 0)).toBe(2)
})

describe('the end of a race', () => {
  const hundred = Array.from({ length: 12 }, (_, index) => part('full', index * 100_000, 100_000))
  const pitLap = [part('in', 1_000_000, 60_000), part('out', 1_080_000, 70_000)]
  const countIn = (
    values: object,
    laps: readonly DrivenLap[] = hundred,
    finishShownAt?: number,
  ) => {
    const { race, ...rest } = carIn(laps, 0)
    return raceLaps(carRaceOf({ ...rest, finishShownAt, race: race && { ...race, ...values } }))
  }
  const minutes = { in: 'time', ms: 1_020_000 }

  test('is the first crossing after the time is up, however late somebody presses', () => {
    for (const endedAt of [null, 1_066_000, 1_199_000])
      expect(countIn({ length: minutes, endedAt })).toBe(11)
    expect(countIn({ length: minutes, pauses: [{ from: 50_000, to: 200_000 }] })).toBe(12)
    expect(countIn({ length: minutes, pauses: [{ from: 1_010_000, to: null }] })).toBe(12)
    // A lap with a stop over the end had begun before it.
    const stopped = [...hundred.slice(0, 10), ...pitLap, part('full', 1_150_000, 100_000)]
    expect(countIn({ length: { in: 'time', ms: 1_070_000 } }, stopped)).toBe(11)
  })

  test('is the number of laps of a race by laps', () => {
    expect(countIn({ length: { in: 'laps', laps: 9 }, endedAt: 1_066_000 })).toBe(9)
  })

  test('is the official finish, if it was shown', () => {
    expect(countIn({ length: minutes, endedAt: 1_066_000 }, hundred, 930_000)).toBe(10)
    // The clock of the team was early.
    expect(countIn({ length: minutes, endedAt: 1_066_000 }, hundred, 1_130_000)).toBe(12)
    // The line of the feed arrives after the crossing.
    expect(countIn({ length: minutes }, hundred, 1_003_000)).toBe(10)
  })
})

test('a short lap that was over before the start does not count', () => {
  const laps = [0, 8000, 16_000, 24_000].map(startedAt => part('full', startedAt, 8000))
  const lapsSince = (startedAt: number) => lapsOf(laps, startedAt)
  expect(lapsSince(18_000)).toBe(2)
  expect(lapsSince(23_000)).toBe(1)
})

test('laps that a gap in reception hid count if their number is certain', () => {
  const before = [part('full', 0, 100_000), part('incomplete', 100_000, 30_000)]
  const again = (atMs: number) => [...before, part('out', atMs - 20_000, 20_000)]
  const lapsSince = (startedAt: number, laps: DrivenLap[]) => lapsOf(laps, startedAt)
  expect(lapsSince(0, again(400_000))).toBe(4)
  expect(lapsSince(150_000, again(400_000))).toBe(2)
  expect(lapsSince(0, again(350_000))).toBe(2)
})

describe('laps in a gap in reception count one by one', () => {
  const overGap = {
    ...part('incomplete', 300_000, 400_000),
    isSeen: false,
    endsAtLine: true as const,
  }
  const hundred = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => part('full', (from + index) * 100_000, 100_000))
  const whole = hundred(0, 12)
  const laps = [...whole.slice(0, 3), overGap, ...whole.slice(7)]

  test.each([305_000, 395_000, 450_000, 660_000])('from a start in it at %s', startedAt => {
    expect(lapsOf(laps, startedAt)).toBe(lapsOf(whole, startedAt))
  })

  test.each([405_000, 499_000, 650_000])('until the time is up in it at %s', ms => {
    const finishIn = (driven: readonly DrivenLap[]) => {
      const { race, ...rest } = carIn(driven, 0)
      const length = { in: 'time', ms } as const
      const car = carRaceOf({ ...rest, race: race && { ...race, length } })
      return [raceLaps(car), finishedAt(car)]
    }
    const finish = finishIn(whole)
    expect(finishIn(laps)).toEqual(finish)
    const found = [...whole.slice(0, 3), part('incomplete', 300_000, 30_000), ...whole.slice(7)]
    expect(finishIn(found)).toEqual(finish)
  })

  test.each([4, 6, 7])('until the car has driven all %s laps in it', count => {
    const { race, ...rest } = carIn(laps, 0)
    const length = { in: 'laps', laps: count } as const
    const car = carRaceOf({ ...rest, race: race && { ...race, length } })
    expect(raceLaps(car)).toBe(count)
    expect(finishedAt(car)).toBe(count * 100_000)
  })
})

test('a gap before the first whole lap counts laps of the planned time', () => {
  const overGap = {
    ...part('incomplete', 100_000, 400_000),
    isSeen: false,
    endsAtLine: true as const,
  }
  const { plan: _, ...rest } = carIn([part('out', 0, 100_000), overGap], 95_000)
  const planned = (lapMs: number | null) =>
    carRaceOf({ ...rest, plan: { driverIds: [], stopMs: null, lapMs, stints: [] } })
  expect(raceLaps(planned(null))).toBe(1)
  expect(raceLaps(planned(102_000))).toBe(4)
  expect(crossingsOf(planned(102_000)).at).toEqual([100_000, 200_000, 300_000, 400_000, 500_000])
})

test('laps in a gap in reception are completed one after another', () => {
  const hundred = (from: number) => part('full', from * 100_000, 100_000)
  const overGap = {
    ...part('incomplete', 200_000, 300_000),
    isSeen: false,
    endsAtLine: true as const,
  }
  const { laps } = carIn([hundred(0), hundred(1), overGap, hundred(5)], 0)
  const at = [150_000, 210_000, 310_000, 490_000, 501_000]
  expect(at.map(atMs => completedLaps(laps, atMs))).toEqual([1, 2, 3, 4, 5])
})

test('a session without a race has no laps of one', () => {
  expect(raceLaps(drivenCar({ laps: [part('full', 0, 100_000)] }))).toBe(0)
})
