import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { crossingsOf, gapsOf } from './gaps.ts'

/** Crossings of a car that crosses the line at `first` and then after each of these laps, in seconds. */
function crossings(id: string, first: number, laps: readonly number[]) {
  const at = [first * 1000]
  for (const lap of laps) at.push((at.at(-1) ?? 0) + lap * 1000)
  return { id, earlierLaps: 0, at, uncertainAt: null }
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
  const gaps = gapsOf([crossings('17', 0, [110]), { ...crossings('44', 0, []), at: [] }], 0)
  expect([...gaps.keys()]).toEqual(['17'])
})

test('laps of earlier sessions count: a car drives on with another phone', () => {
  const laps = [100, 100, 100, 100, 100]
  const other = crossings('44', 2, laps)
  /** Its first session ended in the third lap. */
  const car = { ...crossings('17', 307, [100, 100]), earlierLaps: 2 }
  expect(gapsOf([car, other], 0).get('17')?.ahead).toEqual({
    id: '44',
    laps: 0,
    timeMs: 5000,
    isCertain: true,
  })
  // The car behind has not reached a lap of this session yet.
  const slower = crossings('45', 4, [150, 148])
  expect(gapsOf([{ ...car, at: car.at.slice(0, 1) }, slower], 0).get('45')).toEqual({
    ahead: null,
    behind: null,
  })
  expect(gapsOf([car, crossings('45', 4, [200, 200])], 0).get('45')?.ahead).toMatchObject({
    laps: 1,
  })
})

test('both cars of a pair show the same gap, and times add up along the order', () => {
  const car = fc.record({
    first: fc.integer({ min: 0, max: 20 }),
    uncertainAt: fc.option(fc.constant(1000)),
    laps: fc.array(fc.integer({ min: 100, max: 140 }), { minLength: 1, maxLength: 30 }),
  })
  fc.assert(
    fc.property(fc.array(car, { minLength: 2, maxLength: 9 }), cars => {
      const all = cars.map(({ first, laps, uncertainAt }, index) => ({
        ...crossings(String(index), first, laps),
        uncertainAt,
      }))
      const gaps = gapsOf(all, 0)
      expect(gaps.size).toBe(cars.length)
      const firsts = [...gaps.values()].filter(({ ahead }) => ahead === null)
      expect(firsts).toHaveLength(1)
      for (const [id, { behind }] of gaps) {
        if (!behind) continue
        expect(gaps.get(behind.id)?.ahead).toEqual({ ...behind, id })
        expect(behind.timeMs).toBeGreaterThanOrEqual(0)
        const isUncertain = [id, behind.id].some(each => cars[Number(each)]?.uncertainAt)
        expect(behind.isCertain).toBe(!isUncertain)
      }
    }),
  )
})

/** Laps in order, from times in seconds: kind, start and time. Numbers count from 0. */
function lapsFrom(...laps: [DrivenLap['kind'], startedS: number, timeS: number][]) {
  return laps.map(([kind, startedS, timeS], number) => ({
    number,
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
  expect(crossingsOf('17', laps, []).at).toEqual([50_000, 150_000, 260_000, 350_000])
  expect(crossingsOf('17', parked, []).at).toEqual([50_000, 150_000])
  expect(crossingsOf('17', lapsFrom(['out', 0, 50]), []).at).toEqual([])
})

/** A car that crosses the line at 5 s, then every 100 s. */
const other = crossingsOf('44', lapsFrom(['out', 0, 5], ...wholeLaps(5, 6)), [])

function wholeLaps(fromS: number, count: number) {
  return Array.from({ length: count }, (_, lap): ['full', number, number] => [
    'full',
    fromS + lap * 100,
    100,
  ])
}

/** A car 5 s behind it, without reception from 230 s on, until 20 s before it crosses the line again. */
function behind(againS: number) {
  return lapsFrom(
    ['out', 0, 10],
    ...wholeLaps(10, 2),
    ['incomplete', 210, 20],
    ['out', againS - 20, 20],
    ...wholeLaps(againS, 2),
  )
}

test('a gap in reception within a lap does not change the order', () => {
  const cars = [crossingsOf('17', behind(310), []), other]
  expect(gapsOf(cars, 0).get('17')?.ahead).toEqual({
    id: '44',
    laps: 0,
    timeMs: 5000,
    isCertain: true,
  })
})

test('laps that a gap in reception hid are driven laps', () => {
  const cars = [crossingsOf('17', behind(410), []), other]
  expect(gapsOf(cars, 0).get('17')?.ahead).toEqual({
    id: '44',
    laps: 0,
    timeMs: 5000,
    isCertain: true,
  })
})

test('laps between a phone that failed and the next one are driven laps', () => {
  const earlierEnd = { crossedAt: 210_000, lapMs: 100_000, isCertain: true }
  const again = lapsFrom(['out', 370, 40], ...wholeLaps(410, 2))
  const ahead = (isCertain: boolean) => {
    const earlier = { earlierLaps: 2, earlierEnd: { ...earlierEnd, isCertain } }
    return gapsOf([crossingsOf('17', again, [], earlier), other], 0).get('17')?.ahead
  }
  const gap = { id: '44', laps: 0, timeMs: 5000 }
  expect(ahead(true)).toEqual({ ...gap, isCertain: true })
  expect(ahead(false)).toEqual({ ...gap, isCertain: false })
  // The next session begins at the line: that crossing counts once.
  const atLine = crossingsOf('17', again.slice(1), [], { earlierLaps: 2, earlierEnd })
  expect(atLine.at.slice(0, 3)).toEqual([310_000, 410_000, 510_000])
})

test('an uncertain number of laps in an earlier session makes the gaps estimated', () => {
  const laps = lapsFrom(['out', 370, 40], ...wholeLaps(410, 2))
  const ahead = (uncertainLaps?: number) => {
    const car = crossingsOf('17', laps, [], { earlierLaps: 2, uncertainLaps })
    return gapsOf([car, other], 0).get('17')?.ahead
  }
  expect(ahead()).toEqual({ id: '44', laps: 1, timeMs: 105_000, isCertain: true })
  expect(ahead(1)).toEqual({ id: '44', laps: 0, timeMs: 5000, isCertain: false })
})

test('gaps after an uncertain number of hidden laps are estimated, not before the race', () => {
  const cars = [crossingsOf('17', behind(450), []), other]
  const gap = { laps: 0, timeMs: 45_000, isCertain: false }
  expect(gapsOf(cars, 0).get('17')?.ahead).toEqual({ id: '44', ...gap })
  expect(gapsOf(cars, 0).get('44')?.behind).toEqual({ id: '17', ...gap })
  expect(gapsOf(cars, 520_000).get('17')?.ahead).toMatchObject({ isCertain: true })
})
