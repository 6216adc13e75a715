import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import type { Fill, Tank } from './carRace.ts'
import { burnOf, enteredLevelL, fuelOf } from './fuel.ts'

const tank: Tank = { tankL: 80, reserveL: 4, burnL: null }
const lapMs = 100_000

/**
 * Laps that end every 100 s. `yellow` and `pits` are the indices of yellow laps, which take twice the usual time, and of
 * laps with a stop.
 */
function laps(count: number, { yellow = [] as number[], pits = [] as number[] } = {}): DrivenLap[] {
  return Array.from({ length: count }, (_, index) => ({
    startedAt: (yellow.includes(index) ? index - 1 : index) * lapMs,
    timeMs: yellow.includes(index) ? 2 * lapMs : lapMs,
    kind: index === 0 ? 'out' : pits.includes(index) ? 'pit' : 'full',
    isSeen: true,
    yellow: yellow.includes(index),
  }))
}

function fill(kind: Fill['kind'], atLap: number, litres: number): Fill {
  return { kind, at: (atLap + 0.5) * lapMs, litres }
}

type Given = Parameters<typeof drivenCar>[0]

const fuelIn = (car: Tank, given: Given) => fuelOf(drivenCar({ ...given, car }))
const burnIn = (car: Tank, given: Given) => burnOf(drivenCar({ ...given, car }))

const start: Fill = { kind: 'start', at: 0, litres: 80 }

test('fills to full give the burn, and the laps since the last fill give the level', () => {
  const entries = { laps: laps(40, { pits: [20] }), fills: [start, fill('full', 20, 40)] }
  const fuel = fuelIn(tank, entries)
  expect(fuel?.burn).toMatchObject({ fills: 1 })
  expect(fuel?.burn.greenL).toBeCloseTo(2, 6)
  // The lap of the fill ended after the fill, so it counts.
  expect(fuel?.leftL).toBeCloseTo(80 - 20 * 2, 6)
  expect(fuel).toMatchObject({ isAssumed: false })
})

test('the most that may be left keeps falling at zero litres, and fits into the tank', () => {
  const car = { tankL: 24, reserveL: null, burnL: 4 }
  const fuel = (count: number) =>
    fuelIn(car, { laps: laps(count), fills: [{ ...start, litres: 24 }] })
  // The ± of the entered burn is 0.44 L a lap.
  expect(fuel(0)).toMatchObject({ leftL: 24, mostLeftL: 24 })
  expect(fuel(5)?.mostLeftL).toBeCloseTo(4 + 2.2, 6)
  expect(fuel(6)).toMatchObject({ leftL: 0 })
  expect(fuel(6)?.mostLeftL).toBeCloseTo(2.64, 6)
  expect(fuel(7)).toMatchObject({ leftL: 0, mostLeftL: 0 })
})

test('the first fill measures the burn from the fuel entered at the start', () => {
  const half: Fill = { ...start, litres: 50 }
  const fuel = fuelIn(tank, { laps: laps(21), fills: [half, fill('full', 20, 70)] })
  expect(fuel?.burn.greenL).toBeCloseTo((50 + 70 - 80) / 20, 6)
})

test('without a start entry the tank counts as full, and its first fill shows no burn', () => {
  const entries = { laps: laps(21), fills: [fill('full', 20, 40)] }
  expect(fuelIn(tank, entries)).toBeNull()
  expect(fuelIn({ ...tank, burnL: 2 }, { ...entries, fills: [] })).toMatchObject({
    isAssumed: true,
    leftL: 80 - 21 * 2,
  })
})

test('a part fill raises the level and counts in the use up to the next fill to full', () => {
  const fills = [start, fill('part', 10, 15), fill('full', 30, 45)]
  const fuel = fuelIn(tank, { laps: laps(35), fills })
  expect(fuel?.burn.greenL).toBeCloseTo(2, 6)
  const before = fuelIn({ ...tank, burnL: 2 }, { laps: laps(20), fills: fills.slice(0, 2) })
  expect(before?.leftL).toBeCloseTo(80 + 15 - 40, 6)
})

test('a fill raises the level to a full tank at most', () => {
  const fills = [start, fill('part', 3, 30)]
  expect(fuelIn({ ...tank, burnL: 2 }, { laps: laps(3), fills })?.leftL).toBe(80)
})

test('litres above a full tank are not credited to later laps', () => {
  const car = { tankL: 60, reserveL: 4, burnL: 2 }
  const fills = [{ ...start, litres: 60 }, fill('part', 14, 45)]
  const leftL = (count: number) => fuelIn(car, { laps: laps(count), fills })?.leftL
  expect([14, 15, 20, 25, 30].map(leftL)).toEqual([60, 58, 48, 38, 28])
})

test('a fill into a tank that is computed as empty counts in full', () => {
  const fills = [start, fill('part', 44, 20)]
  expect(fuelIn({ ...tank, burnL: 2 }, { laps: laps(50), fills })?.leftL).toBeCloseTo(20 - 12, 6)
})

test('yellow laps burn less, and the ± grows with the laps since the last known level', () => {
  const car = { ...tank, burnL: 2 }
  const green = fuelIn(car, { laps: laps(20), fills: [start] })
  const yellow = fuelIn(car, { laps: laps(20, { yellow: [5, 6, 7, 8] }), fills: [start] })
  expect(green?.leftL).toBeCloseTo(40, 6)
  expect(yellow?.leftL).toBeCloseTo(44, 6)
  const later = fuelIn(car, { laps: laps(30), fills: [start] })
  expect(later?.plusMinusL).toBeGreaterThan(green?.plusMinusL ?? 0)
})

test('a lap burns less only by the part of it that was slow under yellow', () => {
  const car = { ...tank, burnL: 2 }
  const leftL = (lap: Partial<DrivenLap>, visits: NonNullable<Given>['visits'] = []) => {
    const all = laps(6).map((each, index) => (index === 5 ? { ...each, ...lap } : each))
    return fuelIn(car, { laps: all, visits, fills: [start] })?.leftL
  }
  // 18 s of FCY, the usual time, and half of the lap at half the speed.
  expect(leftL({ yellow: true, timeMs: 108_000 })).toBeCloseTo(80 - 12 + 0.08, 6)
  expect(leftL({ yellow: true, timeMs: 99_000 })).toBeCloseTo(80 - 12, 6)
  expect(leftL({ yellow: true, timeMs: 150_000 })).toBeCloseTo(80 - 12 + 0.5, 6)
  expect(leftL({ yellow: false, timeMs: 200_000 })).toBeCloseTo(80 - 12, 6)
  // A stop of 90 s.
  const visit = { startedAt: 550_000, endedAt: 640_000, stoppedAt: 560_000, leftAt: 630_000 }
  const stopped = { yellow: true, timeMs: 190_000, kind: 'pit' } as const
  expect(leftL(stopped, [visit])).toBeCloseTo(80 - 12, 6)
})

test('without a usual lap a yellow one burns as much as a green one', () => {
  const slow = laps(2, { yellow: [0, 1] })
  expect(fuelIn({ ...tank, burnL: 2 }, { laps: slow, fills: [start] })?.leftL).toBeCloseTo(76, 6)
})

test('without a burn, or without both tank size and start fuel, the fuel is unknown', () => {
  expect(fuelIn(tank, { laps: laps(20), fills: [start] })).toBeNull()
  expect(fuelIn({ ...tank, tankL: null, burnL: 2 }, { laps: laps(20), fills: [] })).toBeNull()
  const known = fuelIn({ ...tank, tankL: null, burnL: 2 }, { laps: laps(20), fills: [start] })
  expect(known?.leftL).toBeCloseTo(40, 6)
})

test('an in lap counts if it ends at the line beside the pit lane', () => {
  const car = { ...tank, burnL: 2 }
  const [out, ...full] = laps(5)
  if (!out) throw new Error('no lap')
  const inLap: DrivenLap = { ...out, startedAt: 5 * lapMs, kind: 'in' }
  const parked = fuelIn(car, { laps: [out, ...full, inLap], fills: [start] })
  expect(parked?.leftL).toBeCloseTo(70, 6)
  const next: DrivenLap = { ...out, startedAt: 6 * lapMs, kind: 'out' }
  const crossed = fuelIn(car, { laps: [out, ...full, inLap, next], fills: [start] })
  expect(crossed?.leftL).toBeCloseTo(66, 6)
})

/**
 * 20 laps with a gap in reception, which hides `hidden` crossings of the line: it begins 50 s into a lap, and ends 30 s
 * before the end of the last one.
 */
function lapsWithGap(hidden: number): DrivenLap[] {
  const seen = laps(19 - hidden)
  const full = seen.at(-1)
  if (!full) throw new Error('no lap')
  const begins: DrivenLap = {
    ...full,
    startedAt: (19 - hidden) * lapMs,
    timeMs: 50_000,
    kind: 'incomplete',
  }
  const ends: DrivenLap = { ...full, startedAt: 20 * lapMs - 30_000, timeMs: 30_000, kind: 'out' }
  return [...seen, begins, ends]
}

test('laps hidden by a gap in reception burn as much fuel as green laps', () => {
  const car = { ...tank, burnL: 2 }
  const all = fuelIn(car, { laps: laps(20), fills: [start] })
  expect(fuelIn(car, { laps: lapsWithGap(0), fills: [start] })).toEqual(all)
  expect(fuelIn(car, { laps: lapsWithGap(3), fills: [start] })).toEqual(all)
  // A stop as long as three laps.
  const visits = [{ startedAt: 17 * lapMs, endedAt: 20 * lapMs, stoppedAt: null, leftAt: null }]
  const stopped = fuelIn(car, { laps: lapsWithGap(3), visits, fills: [start] })
  expect(stopped?.leftL).toBeCloseTo(80 - 17 * 2, 6)
})

test('a use with hidden laps does not count for the burn', () => {
  const fills = [start, fill('full', 20, 40)]
  expect(burnIn(tank, { laps: lapsWithGap(0), fills })).toMatchObject({ fills: 1 })
  expect(burnIn(tank, { laps: lapsWithGap(3), fills })).toBeNull()
})

test('the burn is learned with yellow laps', () => {
  // 30 green laps of 2 L and 10 yellow ones of 1 L.
  const yellow = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
  const burn = burnIn(tank, { laps: laps(41, { yellow }), fills: [start, fill('full', 40, 70)] })
  expect(burn).toMatchObject({ fills: 1 })
  expect(burn?.greenL).toBeCloseTo(2, 6)
  expect(burn?.yellowL).toBeCloseTo(1, 6)
})

test('the level at the last entry is known after a fill to full, and at the start', () => {
  expect(enteredLevelL(tank, [])).toBeNull()
  const half: Fill = { ...start, litres: 50 }
  expect(enteredLevelL(tank, [half])).toBe(50)
  const full = fill('full', 20, 40)
  expect(enteredLevelL(tank, [half, full])).toBe(80)
  expect(enteredLevelL(tank, [half, full, fill('part', 30, 10)])).toBeNull()
  expect(enteredLevelL({ tankL: null }, [full])).toBeNull()
})

test('the start of the race may be with a full tank, whatever was driven before', () => {
  const car = { ...tank, burnL: 2 }
  const race = (startedAt: number | null) => ({
    length: { in: 'laps', laps: 100 } as const,
    rules: noRules,
    startedAt,
    pauses: [],
    endedAt: null,
  })
  const run = (from: number, until: number | null) => ({
    sessionId: 's1',
    from: from * lapMs,
    until: until === null ? null : until * lapMs,
    decidedBy: 'moved' as const,
  })
  const driven = (fills: Fill[], startLap: number | null) =>
    fuelIn(car, {
      laps: laps(40),
      fills,
      race: race(startLap === null ? null : startLap * lapMs),
      runs: [run(0, 10), run(14, 20), run(25, null)],
    })
  // Laps of the race, and those of the run in which it started.
  expect(driven([], 26)).toMatchObject({ isAssumed: true, leftL: 80 - 20 * 2 })
  expect(driven([], 15)).toMatchObject({ isAssumed: true, leftL: 80 - 30 * 2 })
  expect(driven([], null)).toMatchObject({ isAssumed: true, leftL: 80 - 20 * 2 })
  // The fuel at the start is entered at any time before.
  const half = { ...start, litres: 50 }
  expect(driven([half], 26)).toMatchObject({ isAssumed: false, leftL: 50 - 20 * 2 })
  // Fills before the start are in the tank, or not, and those since count.
  expect(driven([half, fill('part', 7, 3), fill('part', 30, 6)], 26)).toMatchObject({
    isAssumed: false,
    leftL: 50 + 6 - 20 * 2,
  })
  const fills = [half, fill('full', 5, 10), fill('part', 30, 6)]
  expect(driven(fills, 26)).toMatchObject({ isAssumed: true, leftL: 80 + 6 - 20 * 2 })
  expect(driven(fills, 5)).toMatchObject({ isAssumed: false })
})

test('what a car burnt before the start of the race shows its burn', () => {
  const burn = (startedAt: number) =>
    burnIn(tank, {
      laps: laps(60),
      fills: [start, fill('full', 18, 36), fill('full', 50, 40)],
      race: {
        length: { in: 'laps', laps: 100 },
        rules: noRules,
        startedAt,
        pauses: [],
        endedAt: null,
      },
      runs: [
        { sessionId: 's1', from: 0, until: 20 * lapMs, decidedBy: 'moved' },
        { sessionId: 's2', from: 25 * lapMs, until: null, decidedBy: 'moved' },
      ],
    })
  // Both fills measure it, but the fuel at the start of the race is not known.
  expect(burn(0)).toMatchObject({ fills: 2 })
  expect(burn(26 * lapMs)).toMatchObject({ fills: 1, greenL: expect.closeTo(2, 6) })
})

test('the way from the grid to the line burns no lap', () => {
  const [out, ...full] = laps(6)
  const roll = { ...out!, startedAt: 95_000, timeMs: 5000 }
  expect(fuelIn({ ...tank, burnL: 2 }, { laps: [roll, ...full], fills: [start] })?.leftL).toBe(70)
  expect(fuelIn({ ...tank, burnL: 2 }, { laps: [out!, ...full], fills: [start] })?.leftL).toBe(68)
})

/** The car leaves its box 20 s before it crosses the line for the first time, and drives laps of 100 s from then on. */
function afterFill(exitMs: number, count: number) {
  const visit = { startedAt: 90_000, stoppedAt: 110_000, leftAt: exitMs - 10_000, endedAt: exitMs }
  const [lap] = laps(1)
  const pit: DrivenLap = { ...lap!, kind: 'pit', startedAt: 0, timeMs: 200_000 }
  const others = laps(count + 2).slice(2)
  return fuelIn(
    { ...tank, burnL: 2 },
    {
      laps: [pit, ...others],
      visits: [visit],
      fills: [{ kind: 'full', at: 120_000, litres: 30 }],
    },
  )?.leftL
}

test('the way from the box to the line burns its share of a lap', () => {
  // Box and line are beside each other: the car crosses the line in the pit lane, or long after it.
  expect(afterFill(210_000, 0)).toBeCloseTo(80, 6)
  expect(afterFill(180_000, 0)).toBeCloseTo(79.6, 1)
  expect(afterFill(210_000, 3)).toBeCloseTo(74, 6)
  expect(afterFill(180_000, 3)).toBeCloseTo(73.6, 6)
})

test('slow laps do not make the way from the box shorter', () => {
  const slow = laps(7, { yellow: [1, 2, 3, 4] }).map(lap => ({
    ...lap,
    timeMs: lap.yellow ? 220_000 : lapMs,
  }))
  const visit = { startedAt: 750_000, stoppedAt: 760_000, leftAt: 790_000, endedAt: 800_000 }
  const next: DrivenLap = { ...slow[6]!, kind: 'pit', startedAt: 700_000, timeMs: 190_000 }
  const fuel = fuelIn(
    { ...tank, burnL: 2 },
    { laps: [...slow, next], visits: [visit], fills: [{ kind: 'full', at: 770_000, litres: 10 }] },
  )
  expect(fuel?.leftL).toBeCloseTo(80 - 0.9 * 2, 1)
})

test('in the box the level is that of the box, after whole laps from there', () => {
  const car = { ...tank, burnL: 2 }
  const visit = (startedAt: number, endedAt: number | null) => {
    return { startedAt, endedAt, stoppedAt: startedAt + 10_000, leftAt: null }
  }
  // The line follows 5 s after the box: the fourth lap ends there.
  const fills: Fill[] = [{ kind: 'full', at: 190_000, litres: 30 }]
  const visits = [visit(150_000, 195_000), visit(550_000, null)]
  expect(fuelIn(car, { laps: laps(5), visits, fills })?.leftL).toBeCloseTo(72, 6)
  expect(fuelIn(car, { laps: laps(5), visits: visits.slice(0, 1), fills })?.leftL).toBeCloseTo(
    73.9,
    6,
  )
})

test('before the first lap the way from the grid burns its share since the start', () => {
  const [out] = laps(1)
  const race = {
    length: { in: 'laps', laps: 100 } as const,
    rules: noRules,
    startedAt: 91_000,
    pauses: [],
    endedAt: null,
  }
  const car = { ...tank, burnL: 2 }
  expect(fuelIn(car, { laps: [out!], race, fills: [start] })?.leftL).toBeCloseTo(79.8, 6)
  // It left the pits for a lap to the grid.
  const visits = [{ startedAt: -50_000, endedAt: 5000, stoppedAt: null, leftAt: null }]
  expect(fuelIn(car, { laps: [out!], race, visits, fills: [start] })?.leftL).toBeCloseTo(78, 6)
})

test('litres that fill the tank in a box before the line stay after the line', () => {
  const car = { ...tank, tankL: 24, burnL: 4 }
  // The car starts at the line with full tanks, and comes into the pits before it ends its third lap.
  const visit = { startedAt: 290_000, stoppedAt: 300_000, leftAt: 340_000, endedAt: 345_000 }
  const [out, second, third] = laps(3)
  const pit: DrivenLap = { ...third!, kind: 'pit', timeMs: 145_000 }
  const fills: Fill[] = [
    { kind: 'start', at: 0, litres: 24 },
    { kind: 'part', at: 310_000, litres: 12 },
  ]
  const inBox = { laps: [out!, second!], visits: [{ ...visit, leftAt: null, endedAt: null }] }
  expect(fuelIn(car, { ...inBox, fills: fills.slice(0, 1) })?.leftL).toBeCloseTo(24 - 2.9 * 4, 6)
  expect(fuelIn(car, { ...inBox, fills })?.leftL).toBeCloseTo(24, 6)
  const after = { laps: [out!, second!, pit], visits: [visit], fills }
  expect(fuelIn(car, after)?.leftL).toBeCloseTo(24, 6)
})

test('a lap that a gap hid long before a stop leaves the level as it is', () => {
  const car = { ...tank, tankL: 100, burnL: 2 }
  const lap = (startedAt: number, timeMs: number, kind: DrivenLap['kind']): DrivenLap => {
    return { startedAt, timeMs, kind, isSeen: true, yellow: false }
  }
  const full = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => lap(from + index * lapMs, lapMs, 'full'))
  const driven = [
    ...laps(10),
    lap(1_000_000, 50_000, 'incomplete'),
    lap(1_170_000, 130_000, 'out'),
    ...full(1_300_000, 7),
    // The box is 10 s before the line.
    lap(2_000_000, 160_000, 'pit'),
    ...full(2_160_000, 5),
  ]
  const visit = {
    startedAt: 2_080_000,
    stoppedAt: 2_085_000,
    leftAt: 2_145_000,
    endedAt: 2_150_000,
  }
  const entries = { laps: driven, fills: [{ ...start, litres: 100 }] }
  const withStop = fuelIn(car, { ...entries, visits: [visit] })?.leftL
  expect(withStop).toBe(fuelIn(car, { ...entries, visits: [] })?.leftL)
})
