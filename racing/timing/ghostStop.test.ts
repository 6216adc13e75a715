import { expect, test } from 'vitest'
import { simulatedGhosts } from '#testing/simulatedGhosts.ts'
import { expectedLosses, type GhostCar, type GhostRun, ghostStops } from './ghostStop.ts'

const usualMs = 100_000
const newestMs = 5_000_000

/** A car that is this many milliseconds behind the leader, at the newest crossings of all. */
function car(position: number, number: string, behindMs: number, more: Partial<GhostCar> = {}) {
  const laps = 50 - Math.ceil(behindMs / usualMs)
  return {
    position,
    number,
    className: 'B',
    classPosition: position,
    laps,
    totalMs: newestMs - (50 - laps) * usualMs + behindMs,
    lastMs: usualMs,
    usualMs,
    stops: { count: 2, green: { count: 3, medianMs: 60_000 }, yellow: null },
    ...more,
  }
}

const order = [
  car(1, '8', 0),
  car(2, '17', 0, { totalMs: newestMs }),
  car(3, '44', 20_000),
  car(4, '382', 46_000),
  car(5, '71', 95_000),
  car(6, '5', 250_000),
]

const field = { plusMinusMs: 1500, ofAllPlusMinusMs: 4000, pace: 1 }

const run: GhostRun = {
  flag: 'Green',
  slowFromMs: null,
  stopLosses: {
    green: { ...field, count: 9, medianMs: 60_000 },
    yellow: { ...field, count: 4, medianMs: 40_000, plusMinusMs: 3000, pace: 0.5 },
  },
  standings: order,
}

test('a car that stops is behind the cars that pass it during the stop', () => {
  const { now, green, yellow } = ghostStops(run, '17', null)
  expect(now).toBe('green')
  expect(green).toMatchObject({
    position: 4,
    worst: 4,
    classPosition: 4,
    behind: { number: '382', ms: 14_000 },
    loss: { ms: 60_000, count: 9 },
  })
  // A gap of the track takes twice as long at half the pace.
  expect(yellow).toMatchObject({ position: 2, worst: 4, loss: { ms: 40_000 } })
})

test("the team's own measurement of its stops comes before that of the feed", () => {
  const own = { greenMs: 90_000, yellowMs: null, stops: 3 }
  expect(ghostStops(run, '17', own).green).toMatchObject({ loss: { ms: 90_000 } })
  expect(ghostStops(run, '17', { ...own, stops: 1 }).green?.loss.ms).toBe(75_000)
  // A repair.
  expect(ghostStops(run, '17', { ...own, greenMs: 400_000, stops: 1 }).green?.loss.ms).toBe(60_000)
})

test('a place within the uncertainty of the stop is a range', () => {
  const { green } = ghostStops(
    {
      ...run,
      stopLosses: {
        ...run.stopLosses,
        green: { ...field, count: 4, medianMs: 60_000, plusMinusMs: 33_000 },
      },
    },
    '17',
    null,
  )
  expect(green).toMatchObject({ position: 4, best: 2, worst: 5 })
})

test('the more the others stop, the fewer pass', () => {
  const best = (count: number) =>
    ghostStops(
      {
        ...run,
        standings: order.map(each => ({ ...each, stops: { count, green: null, yellow: null } })),
      },
      '17',
      null,
    ).green?.best
  expect([0, 2, 12].map(best)).toEqual([4, 3, 2])
})

test('in one class the place in the class is the place', () => {
  // Four cars are ahead by little each: half of them stop, too.
  const near = [0, 1, 2, 3, 4, 5].map(index => {
    const stops = { count: 10, green: null, yellow: null }
    return car(index + 1, `${index + 1}`, index * 8000, { stops })
  })
  for (const own of near) {
    const { green, yellow } = ghostStops({ ...run, standings: near }, own.number, null)
    expect(green?.classPosition).toBe(green?.position)
    expect(yellow?.classPosition).toBe(yellow?.position)
  }
})

test('under yellow no more than the highest share of cars stops', () => {
  const bestOf = (count: number) =>
    ghostStops(
      {
        ...run,
        standings: order.map(each => ({ ...each, stops: { count, green: null, yellow: null } })),
      },
      '8',
      null,
    ).yellow
  // 30 % of the cars stop with both.
  expect(bestOf(12)).toEqual(bestOf(5))
})

test('a stop is not known without three comparable stops', () => {
  const none = { green: null, yellow: null }
  expect(ghostStops({ ...run, stopLosses: none }, '17', null)).toMatchObject(none)
  expect(ghostStops(run, '99', null)).toEqual({ now: null, ...none })
  expect(ghostStops(run, null, null)).toEqual({ now: null, ...none })
})

test('a car without a comparable stop of its own loses what the field does', () => {
  const repair = { count: 1, medianMs: 400_000 }
  for (const green of [null, repair])
    expect(
      expectedLosses(run.stopLosses, { stops: { count: 1, green, yellow: null } }, null),
    ).toMatchObject({
      green: { ms: 60_000, plusMinusMs: 4000 },
      yellow: { ms: 40_000, plusMinusMs: 4000 },
    })
})

test('a place is not known while most cars have made no stop', () => {
  const { green, yellow } = run.stopLosses
  const first = { green: green && { ...green, count: 3 }, yellow: null }
  expect(ghostStops({ ...run, stopLosses: first }, '17', null).green).toBeNull()
  const both = { ...first, yellow: yellow && { ...yellow, count: 3 } }
  expect(ghostStops({ ...run, stopLosses: both }, '17', null).green).toMatchObject({ position: 4 })
})

test('a place is not known if a car within reach has no time', () => {
  const without = (number: string) =>
    order.map(each => (each.number === number ? { ...each, totalMs: null } : each))
  expect(ghostStops({ ...run, standings: without('44') }, '17', null).green).toBeNull()
  expect(ghostStops({ ...run, standings: without('17') }, '17', null).green).toBeNull()
  expect(ghostStops({ ...run, standings: without('5') }, '17', null).green).toMatchObject({
    position: 4,
  })
  const ahead = ghostStops({ ...run, standings: without('8') }, '17', null).green
  expect(ahead).toMatchObject({ position: 4 })
})

test('a car that is late at the line has stopped, and does not pass the own car', () => {
  const late = order.map(each =>
    each.number === '44' ? { ...each, totalMs: newestMs - usualMs - 20_000 } : each,
  )
  // It loses 60 s, of which 20 s are over.
  expect(ghostStops({ ...run, standings: late }, '17', null).green).toMatchObject({
    position: 4,
    behind: { number: '382' },
  })
})

test('a car that is in the pits now has no place after a stop now', () => {
  const late = order.map(each =>
    each.number === '17' ? { ...each, laps: 49, totalMs: newestMs - usualMs - 20_000 } : each,
  )
  expect(ghostStops({ ...run, standings: late }, '17', null).green).toBeNull()
})

test('under a flag that is neither green nor yellow the ghost is not known', () => {
  for (const flag of [null, '', 'Red   ', 'Finish'])
    expect(ghostStops({ ...run, flag }, '17', null).now).toBeNull()
  expect(ghostStops({ ...run, flag: 'Purple' }, '17', null).now).toBe('yellow')
})

test('under yellow a stop costs less by the difference that the field shows', () => {
  const standing = { stops: { count: 1, green: { count: 3, medianMs: 70_000 }, yellow: null } }
  expect(expectedLosses(run.stopLosses, standing, null)).toMatchObject({
    green: { ms: 70_000 },
    yellow: { ms: 50_000 },
  })
})

test('in simulated races ghosts are near, and their range has 95 % of the places', () => {
  const { green, yellow } = simulatedGhosts(25)
  expect(green.known / green.possible).toBeGreaterThan(0.65)
  expect(yellow.known / yellow.possible).toBeGreaterThan(0.6)
  expect(green.withinOne / green.known).toBeGreaterThanOrEqual(0.9)
  expect(yellow.withinOne / yellow.known).toBeGreaterThanOrEqual(0.8)
  expect(green.inRange / green.known).toBeGreaterThan(0.93)
  expect(yellow.inRange / yellow.known).toBeGreaterThan(0.93)
  expect(green.tooEarly + yellow.tooEarly).toBe(0)
})
