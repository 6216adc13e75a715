import { expect, test } from 'vitest'
import type { DrivenLap } from '../laps/drivenLap.ts'
import { enteredLevelL, type Fill, fuelOf, fuelSince, fuelUses, type Tank } from './fuel.ts'

const tank: Tank = { tankL: 80, reserveL: 4, burnL: null }
const lapMs = 100_000

/** Laps of 100 s from time 0 on. `yellow` and `pits` are the indices of yellow laps and of laps with a stop. */
function laps(count: number, { yellow = [] as number[], pits = [] as number[] } = {}): DrivenLap[] {
  return Array.from({ length: count }, (_, index) => ({
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: index === 0 ? 'out' : pits.includes(index) ? 'pit' : 'full',
    isSeen: true,
    yellow: yellow.includes(index),
  }))
}

function fill(kind: Fill['kind'], atLap: number, litres: number): Fill {
  return { kind, at: (atLap + 0.5) * lapMs, litres }
}

const start: Fill = { kind: 'start', at: 0, litres: 80 }

test('fills to full give the burn, and the laps since the last fill give the level', () => {
  const entries = { laps: laps(40, { pits: [20] }), fills: [start, fill('full', 20, 40)] }
  const fuel = fuelOf(tank, entries)
  expect(fuel?.burn).toMatchObject({ fills: 1 })
  expect(fuel?.burn.greenL).toBeCloseTo(2, 6)
  // The lap of the fill ended after the fill, so it counts.
  expect(fuel?.leftL).toBeCloseTo(80 - 20 * 2, 6)
  expect(fuel).toMatchObject({ isAssumed: false })
})

test('the first fill measures the burn from the fuel entered at the start', () => {
  const half: Fill = { ...start, litres: 50 }
  const fuel = fuelOf(tank, { laps: laps(21), fills: [half, fill('full', 20, 70)] })
  expect(fuel?.burn.greenL).toBeCloseTo((50 + 70 - 80) / 20, 6)
})

test('without a start entry the tank counts as full, and its first fill shows no burn', () => {
  const entries = { laps: laps(21), fills: [fill('full', 20, 40)] }
  expect(fuelOf(tank, entries)).toBeNull()
  expect(fuelOf({ ...tank, burnL: 2 }, { ...entries, fills: [] })).toMatchObject({
    isAssumed: true,
    leftL: 80 - 21 * 2,
  })
})

test('a part fill raises the level and counts in the use up to the next fill to full', () => {
  const fills = [start, fill('part', 10, 15), fill('full', 30, 45)]
  const fuel = fuelOf(tank, { laps: laps(35), fills })
  expect(fuel?.burn.greenL).toBeCloseTo(2, 6)
  const before = fuelOf({ ...tank, burnL: 2 }, { laps: laps(20), fills: fills.slice(0, 2) })
  expect(before?.leftL).toBeCloseTo(80 + 15 - 40, 6)
})

test('a fill raises the level to a full tank at most', () => {
  const fills = [start, fill('part', 3, 30)]
  expect(fuelOf({ ...tank, burnL: 2 }, { laps: laps(3), fills })?.leftL).toBe(80)
})

test('litres above a full tank are not credited to later laps', () => {
  const car = { tankL: 60, reserveL: 4, burnL: 2 }
  const fills = [{ ...start, litres: 60 }, fill('part', 14, 45)]
  const leftL = (count: number) => fuelOf(car, { laps: laps(count), fills })?.leftL
  expect([14, 15, 20, 25, 30].map(leftL)).toEqual([60, 58, 48, 38, 28])
})

test('a fill into a tank that is computed as empty counts in full', () => {
  const fills = [start, fill('part', 44, 20)]
  expect(fuelOf({ ...tank, burnL: 2 }, { laps: laps(50), fills })?.leftL).toBeCloseTo(20 - 12, 6)
})

test('yellow laps burn less, and the ± grows with the laps since the last known level', () => {
  const car = { ...tank, burnL: 2 }
  const green = fuelOf(car, { laps: laps(20), fills: [start] })
  const yellow = fuelOf(car, { laps: laps(20, { yellow: [5, 6, 7, 8] }), fills: [start] })
  expect(green?.leftL).toBeCloseTo(40, 6)
  expect(yellow?.leftL).toBeCloseTo(44, 6)
  const later = fuelOf(car, { laps: laps(30), fills: [start] })
  expect(later?.plusMinusL).toBeGreaterThan(green?.plusMinusL ?? 0)
})

test('without a burn, or without both tank size and start fuel, the fuel is unknown', () => {
  expect(fuelOf(tank, { laps: laps(20), fills: [start] })).toBeNull()
  expect(fuelOf({ ...tank, tankL: null, burnL: 2 }, { laps: laps(20), fills: [] })).toBeNull()
  const known = fuelOf({ ...tank, tankL: null, burnL: 2 }, { laps: laps(20), fills: [start] })
  expect(known?.leftL).toBeCloseTo(40, 6)
})

test('an in lap counts if it ends at the line beside the pit lane', () => {
  const car = { ...tank, burnL: 2 }
  const [out, ...full] = laps(5)
  if (!out) throw new Error('no lap')
  const inLap: DrivenLap = { ...out, startedAt: 5 * lapMs, kind: 'in' }
  const parked = fuelOf(car, { laps: [out, ...full, inLap], fills: [start] })
  expect(parked?.leftL).toBeCloseTo(70, 6)
  const next: DrivenLap = { ...out, startedAt: 6 * lapMs, kind: 'out' }
  const crossed = fuelOf(car, { laps: [out, ...full, inLap, next], fills: [start] })
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
  const all = fuelOf(car, { laps: laps(20), fills: [start] })
  expect(fuelOf(car, { laps: lapsWithGap(0), fills: [start] })).toEqual(all)
  expect(fuelOf(car, { laps: lapsWithGap(3), fills: [start] })).toEqual(all)
  // A stop as long as three laps.
  const visits = [{ startedAt: 17 * lapMs, endedAt: 20 * lapMs }]
  const stopped = fuelOf(car, { laps: lapsWithGap(3), visits, fills: [start] })
  expect(stopped?.leftL).toBeCloseTo(80 - 17 * 2, 6)
})

test('a use with hidden laps does not count for the burn', () => {
  const fills = [start, fill('full', 20, 40)]
  expect(fuelUses(tank, { laps: lapsWithGap(0), fills })).toHaveLength(1)
  expect(fuelUses(tank, { laps: lapsWithGap(3), fills })).toEqual([])
})

test('laps between a failed phone and the next one burn fuel, until a fill to full', () => {
  const car = { ...tank, burnL: 2 }
  const first = { laps: laps(10), fills: [start] }
  const earlierFuel = fuelSince(first)
  const earlierEnd = { crossedAt: 10 * lapMs, lapMs, isCertain: false }
  const [out, ...full] = laps(20).slice(16)
  const next = { laps: [{ ...out!, kind: 'out' as const }, ...full], earlierFuel, earlierEnd }
  expect(fuelOf(car, { ...next, fills: [] })?.leftL).toBeCloseTo(80 - 20 * 2, 6)
  // An answer of an older server.
  const { earlierEnd: _, ...withoutEnd } = next
  expect(fuelOf(car, { ...withoutEnd, fills: [] })?.leftL).toBeCloseTo(80 - 14 * 2, 6)
  const filled = { ...next, fills: [fill('full', 18, 30)] }
  expect(fuelOf(car, filled)?.leftL).toBeCloseTo(80 - 2 * 2, 6)
  expect(fuelUses(tank, filled)).toEqual([])
})

test('the burn is learned from earlier sessions too, with their yellow laps', () => {
  const earlier = fuelUses(
    tank,
    // 30 green laps of 2 L and 10 yellow ones of 1 L.
    {
      laps: laps(41, { yellow: [5, 6, 7, 8, 9, 10, 11, 12, 13, 14] }),
      fills: [start, fill('full', 40, 70)],
    },
  )
  expect(earlier).toEqual([{ litres: 70, greenLaps: 30, yellowLaps: 10 }])
  const fuel = fuelOf(tank, { laps: laps(10), fills: [start], earlierUses: earlier })
  expect(fuel?.burn).toMatchObject({ fills: 1 })
  expect(fuel?.burn.greenL).toBeCloseTo(2, 6)
  expect(fuel?.burn.yellowL).toBeCloseTo(1, 6)
  expect(fuel?.leftL).toBeCloseTo(80 - 10 * 2, 6)
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

test('splitting a drive into several sessions does not change its fuel', () => {
  const all = {
    laps: laps(60, { yellow: [4, 21, 22, 33] }),
    fills: [
      { ...start, litres: 70 },
      fill('part', 10, 15),
      fill('full', 20, 45),
      fill('part', 30, 10),
      fill('full', 45, 38),
      fill('part', 55, 6),
    ],
  }
  const part = (fromLap: number, toLap: number) => ({
    laps: all.laps.slice(fromLap, toLap),
    fills: all.fills.filter(({ at }) => at >= fromLap * lapMs && at < toLap * lapMs),
  })
  const whole = fuelOf(tank, all)
  for (let lap = 1; lap < 60; lap++) {
    const first = part(0, lap)
    const middle = { ...part(lap, lap + 7), earlierFuel: fuelSince(first) }
    const earlierUses = [...fuelUses(tank, first), ...fuelUses(tank, middle)]
    const last = { ...part(lap + 7, 60), earlierUses, earlierFuel: fuelSince(middle) }
    const fuel = fuelOf(tank, last)
    expect(fuel).toMatchObject({ isAssumed: false, burn: { fills: 2 } })
    expect(fuel?.leftL).toBeCloseTo(whole?.leftL ?? 0, 6)
    expect(fuel?.plusMinusL).toBeCloseTo(whole?.plusMinusL ?? 0, 6)
  }
})

test('fuel entered at the start of a session replaces the level of the last one', () => {
  const car = { ...tank, burnL: 2 }
  const earlierFuel = fuelSince({ laps: laps(20), fills: [] })
  const next = { laps: laps(5), earlierFuel }
  expect(fuelOf(car, { ...next, fills: [] })).toMatchObject({
    isAssumed: true,
    leftL: 80 - 25 * 2,
  })
  expect(fuelOf(car, { ...next, fills: [{ ...start, litres: 60 }] })).toMatchObject({
    isAssumed: false,
    leftL: 60 - 5 * 2,
  })
})
