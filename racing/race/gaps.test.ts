import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drivenCar } from '#testing/drivenCar.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { crossingsOf, gapsOf } from './gaps.ts'
import { raceResult } from './raceResult.ts'

/** A car that crosses the line at `first` and then after each of these laps, in seconds. */
function crossings(id: string, first: number, laps: readonly number[]) {
  let endsAt = first * 1000
  return car(
    id,
    laps.map(seconds => {
      endsAt += seconds * 1000
      const timeMs = seconds * 1000
      return { kind: 'full', startedAt: endsAt - timeMs, timeMs, isSeen: true, yellow: false }
    }),
  )
}

function car(id: string, laps: readonly DrivenLap[]) {
  return { id, carRace: drivenCar({ laps }) }
}

test('the gap is the time between two cars after the same laps', () => {
  const gaps = gapsOf([crossings('17', 2, [110, 110, 110]), crossings('44', 4, [112, 112, 111])], 0)
  expect(gaps.get('17')).toEqual({
    ahead: null,
    behind: { id: '44', laps: 0, timeMs: 7000, isCertain: true },
  })
  expect(gaps.get('44')).toEqual({
    ahead: { id: '17', laps: 0, timeMs: 7000, isCertain: true },
    behind: null,
  })
})

test('a lap after the finish changes no gap', () => {
  const race = exampleRace({ length: { in: 'laps', laps: 3 }, startedAt: 0 })
  const cars = [
    crossings('17', 2, [110, 110, 110, 110]),
    crossings('44', 4, [112, 112, 111, 150]),
  ].map(({ id, carRace }) => ({ id, carRace: { ...carRace, race } }))
  expect(gapsOf(cars, 0).get('44')?.ahead).toMatchObject({ laps: 0, timeMs: 7000 })
})

test('a car in its box is laps down once the other has passed it', () => {
  const atRest = crossings('12', 4, [110, 110])
  const to = (laps: number) =>
    gapsOf([crossings('44', 2, Array(laps).fill(110)), atRest], 0).get('12')?.ahead
  expect(to(3)).toMatchObject({ laps: 0, timeMs: 2000 })
  expect(to(4)).toMatchObject({ laps: 1 })
  expect(to(6)).toMatchObject({ laps: 3 })
})

test('once both have finished, and after the race, the gap is that of the result', () => {
  const race = exampleRace({ length: { in: 'time', ms: 400_000 }, startedAt: 0 })
  const numbered = ({ id, carRace }: ReturnType<typeof crossings>) => ({
    id,
    carRace: { ...carRace, race },
  })
  // The car ahead crosses the line after the other one, which was on its lap.
  const ahead = numbered(crossings('44', 2, [90, 90, 90, 90, 90]))
  const behind = numbered(crossings('12', 4, [120, 120, 120, 60]))
  expect(gapsOf([ahead, behind], 0).get('12')?.ahead).toMatchObject({ id: '44', laps: 1 })
  const atRest = numbered(crossings('12', 4, [100, 100, 100]))
  const over = { ...race, endedAt: 480_000 }
  const after = [ahead, atRest].map(({ id, carRace }) => ({
    id,
    carRace: { ...carRace, race: over },
  }))
  expect(gapsOf([ahead, atRest], 0).get('12')?.ahead).toMatchObject({ laps: 1 })
  expect(gapsOf(after, 0).get('12')?.ahead).toMatchObject({ id: '44', laps: 2 })
  expect(raceResult(after)[1]).toMatchObject({ id: '12', behind: { laps: 2 } })
})

test('the newest lap that both have driven counts', () => {
  const gaps = gapsOf([crossings('17', 2, [110, 110, 110]), crossings('44', 4, [112, 112])], 0)
  expect(gaps.get('44')?.ahead).toEqual({ id: '17', laps: 0, timeMs: 6000, isCertain: true })
})

test('a lapped car is whole laps behind', () => {
  const gaps = gapsOf([crossings('17', 2, [100, 100, 100, 100]), crossings('44', 4, [150, 180])], 0)
  expect(gaps.get('44')?.ahead).toEqual({ id: '17', laps: 1, timeMs: 132_000, isCertain: true })
})

test.each([-20, 0, 20])('a start entered %d s from the line counts the same laps', offset => {
  const cars = [crossings('17', 500, [110, 110]), crossings('44', 503, [112, 112])]
  expect(gapsOf(cars, (500 + offset) * 1000).get('44')?.ahead?.timeMs).toBe(7000)
})

test('a crossing counts once where rounding separates two laps', () => {
  const out = { kind: 'out', isSeen: true, yellow: false } as const
  const laps: DrivenLap[] = [
    { ...out, startedAt: 8000, timeMs: 99_396 },
    { ...out, kind: 'full', startedAt: 107_397, timeMs: 100_000 },
  ]
  expect(crossingsOf(car('44', laps).carRace).at).toHaveLength(2)
})

test('a long stop in the second lap leaves the first one in the count', () => {
  const cars = [crossings('7', -0.1, [96, 200]), crossings('44', 2, [99, 96])]
  const ahead = { id: '44', laps: 0, timeMs: 98_900, isCertain: true }
  expect(gapsOf(cars, 0).get('7')).toEqual({ ahead, behind: null })
})

test('laps before the race do not count', () => {
  const cars = [
    crossings('17', 0, [200, 110, 110]),
    // It drove one formation lap more.
    crossings('44', -300, [300, 203, 112, 112]),
  ]
  expect(gapsOf(cars, 200_000).get('44')?.ahead).toEqual({
    id: '17',
    laps: 0,
    timeMs: 7000,
    isCertain: true,
  })
})

test('a car without a lap has no gap', () => {
  const gaps = gapsOf([crossings('17', 0, [110]), crossings('44', 0, [])], 0)
  expect([...gaps.keys()]).toEqual(['17'])
})

test('a car that has only left the grid is not ahead of one that has driven a lap', () => {
  const out = (timeMs: number) =>
    ({ kind: 'out', startedAt: 0, timeMs, isSeen: true, yellow: false }) as const
  const lap = { ...out(110_000), kind: 'full', startedAt: 3000 } as const
  const gaps = gapsOf([car('17', [out(3000), lap]), car('44', [out(5000)])], 0)
  expect(gaps.get('17')).toEqual({ ahead: null, behind: null })
  expect(gaps.get('44')).toBeUndefined()
})

test('both cars of a pair show the same gap, and times add up along the order', () => {
  const times = fc.record({
    first: fc.integer({ min: 0, max: 20 }),
    laps: fc.array(fc.integer({ min: 100, max: 140 }), { minLength: 1, maxLength: 30 }),
  })
  fc.assert(
    fc.property(fc.array(times, { minLength: 2, maxLength: 9 }), cars => {
      const all = cars.map(({ first, laps }, index) => crossings(String(index), first, laps))
      const gaps = gapsOf(all, 0)
      expect(gaps.size).toBe(cars.length)
      const firsts = [...gaps.values()].filter(({ ahead }) => ahead === null)
      expect(firsts).toHaveLength(1)
      for (const [id, { behind }] of gaps) {
        if (!behind) continue
        expect(gaps.get(behind.id)?.ahead).toEqual({ ...behind, id })
        expect(behind.timeMs).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

/** Laps in order, from times in seconds: kind, start and time. */
function lapsFrom(...laps: [DrivenLap['kind'], startedS: number, timeS: number][]) {
  return laps.map(([kind, startedS, timeS]) => ({
    kind,
    startedAt: startedS * 1000,
    timeMs: timeS * 1000,
    isSeen: true,
    yellow: false,
  }))
}

test('crossings are the start of the first whole lap and all ends at the line', () => {
  const laps = lapsFrom(['out', 0, 50], ['full', 50, 100], ['in', 150, 110], ['out', 260, 90])
  const parked = lapsFrom(['out', 0, 50], ['full', 50, 100], ['in', 150, 60])
  expect(crossingsOf(drivenCar({ laps })).at).toEqual([50_000, 150_000, 260_000, 350_000])
  expect(crossingsOf(drivenCar({ laps: parked })).at).toEqual([50_000, 150_000])
  expect(crossingsOf(drivenCar({ laps: lapsFrom(['out', 0, 50]) })).at).toEqual([50_000])
})

/** A car that crosses the line at 5 s, then every 100 s. */
const other = car('44', lapsFrom(['out', 0, 5], ...wholeLaps(5, 6)))

function wholeLaps(fromS: number, count: number) {
  return Array.from({ length: count }, (_, lap): ['full', number, number] => [
    'full',
    fromS + lap * 100,
    100,
  ])
}

/** A car 5 s behind it, without reception from 230 s on, until 20 s before it crosses the line again. */
function behind(againS: number, lapsAfter = 2) {
  return lapsFrom(
    ['out', 0, 10],
    ...wholeLaps(10, 2),
    ['incomplete', 210, 20],
    ['out', againS - 20, 20],
    ...wholeLaps(againS, lapsAfter),
  )
}

test('a gap in reception within a lap does not change the order', () => {
  const cars = [car('17', behind(310)), other]
  expect(gapsOf(cars, 0).get('17')?.ahead).toEqual({
    id: '44',
    laps: 0,
    timeMs: 5000,
    isCertain: true,
  })
})

test('laps that a gap in reception hid are driven laps', () => {
  const cars = [car('17', behind(410)), other]
  expect(gapsOf(cars, 0).get('17')?.ahead).toEqual({
    id: '44',
    laps: 0,
    timeMs: 5000,
    isCertain: true,
  })
})

test('gaps after an uncertain number of hidden laps are estimated, not before the race', () => {
  const cars = [car('17', behind(450)), other]
  const gap = { laps: 0, timeMs: 45_000, isCertain: false }
  expect(gapsOf(cars, 0).get('17')?.ahead).toEqual({ id: '44', ...gap })
  expect(gapsOf(cars, 0).get('44')?.behind).toEqual({ id: '17', ...gap })
  expect(gapsOf(cars, 520_000).get('17')?.ahead).toMatchObject({ isCertain: true })
})

test('a gap from a hidden crossing is estimated until both cars cross the line again', () => {
  const back = car('17', behind(410, 0))
  const chaser = (laps: number) => car('44', lapsFrom(['out', 0, 23], ...wholeLaps(23, laps)))
  const hidden = gapsOf([back, chaser(3)], 0)
  expect(hidden.get('44')?.ahead).toMatchObject({ timeMs: 13_000, isCertain: false })
  expect(hidden.get('17')?.behind).toMatchObject({ isCertain: false })
  expect(gapsOf([back, chaser(4)], 0).get('44')?.ahead).toMatchObject({
    timeMs: 13_000,
    isCertain: true,
  })
})
