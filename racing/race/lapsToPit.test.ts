import { expect, test } from 'vitest'
import { seeded } from '#testing/drives.ts'
import { pessimisticL } from './burn.ts'
import { type Fuel, pessimisticLeftL } from './fuel.ts'
import { fuelLapsOf, type LapLimit, lapsToPit, reserveOf, type TimeLimit } from './lapsToPit.ts'

const lapMs = 100_000

test('n counts crossings of the line before the pit entry to use', () => {
  const stint = (leftMs: number) => [{ reason: 'stint', leftMs } as const]
  const current = { lapMs, elapsedMs: 40_000 }
  const laps = (leftMs: number) => lapsToPit(stint(leftMs), current)?.laps
  expect([60_000, 159_999, 160_000, 59_999, -5000].map(laps)).toEqual([0, 0, 1, 0, 0])
  // The time to finish an unknown lap is the time of a whole one.
  expect(lapsToPit(stint(199_999), { lapMs, elapsedMs: null })?.laps).toBe(0)
  expect(lapsToPit(stint(200_000), { lapMs, elapsedMs: null })?.laps).toBe(1)
})

test('the first limit counts', () => {
  const times = [
    { reason: 'driver', leftMs: 900_000 },
    { reason: 'stint', leftMs: 500_000 },
  ] as const
  const withFuel = (laps: number) =>
    lapsToPit([...times, { reason: 'fuel', laps }], { lapMs, elapsedMs: 0 })
  expect(withFuel(9)).toEqual({ laps: 4, reason: 'stint' })
  expect(withFuel(5)).toEqual({ laps: 4, reason: 'stint' })
  expect(withFuel(3)).toEqual({ laps: 2, reason: 'fuel' })
  expect(lapsToPit([], { lapMs, elapsedMs: 0 })).toBeNull()
})

/** Shares of the assumed lap time and burn, of many laps. */
const shareOf = seeded(5)
const shares = Array.from({ length: 1000 }, () => 0.7 + 0.3 * shareOf())

type RandomRace = ReturnType<typeof race>

/** A car in a lap, with limits, fuel, and a truth that is no slower and burns no more than assumed. */
function race(random: () => number) {
  const between = (least: number, most: number) => least + (most - least) * random()
  const burnL = between(0.5, 5)
  const fuel: Fuel = {
    burn: {
      greenL: burnL,
      yellowL: burnL / 2,
      plusMinusL: between(0, 0.5) * burnL,
      fills: 3,
      variance: { green: 0, yellow: 0, both: 0 },
    },
    leftL: between(0, 120),
    plusMinusL: between(0, 10),
    mostLeftL: 130,
    isAssumed: false,
  }
  const slowestMs = Math.round(between(40_000, 600_000))
  const limitsMs = ['stint', 'driver', 'plan']
    .filter(() => random() < 0.6)
    .map(() => Math.round(between(-60_000, 7_200_000)))
  return {
    fuel,
    hasFuel: random() < 0.7,
    reserveL: random() < 0.5 ? null : between(0, 10),
    limitsMs,
    lapMs: slowestMs,
    elapsedMs: Math.round(between(0, slowestMs)),
    /** Index of this race's first share. */
    offset: Math.floor(between(0, shares.length)),
  }
}

type Outcome = 'bounded' | 'now' | 'free' | 'too late' | 'too early'

/** Compares laps to pit with a drive to that pit entry, and to the next one. */
function outcomeOf({ fuel, hasFuel, reserveL, limitsMs, offset, ...current }: RandomRace): Outcome {
  const limits: (TimeLimit | LapLimit)[] = limitsMs.map(leftMs => ({ reason: 'stint', leftMs }))
  if (hasFuel) limits.push({ reason: 'fuel', laps: fuelLapsOf(fuel, reserveL) })
  const next = lapsToPit(limits, current)?.laps ?? null
  if (next === null) return limitsMs.length === 0 && !hasFuel ? 'free' : 'too late'
  if (next === 0 && !reaches(0, true)) return 'now'
  if (!reaches(next, false) || !reaches(next, true)) return 'too late'
  // One lap more breaks a limit if laps are as slow and burn as much as assumed.
  return reaches(next + 1, true) ? 'too early' : 'bounded'

  /** Drives to the pit entry after n crossings; returns whether all limits are kept. */
  function reaches(n: number, exact: boolean): boolean {
    const burnL = pessimisticL(fuel.burn)
    const share = (lap: number) => (exact ? 1 : (shares[(offset + lap) % shares.length] ?? 1))
    let timeMs = current.lapMs - current.elapsedMs
    let litres = pessimisticLeftL(fuel)
    for (let lap = 0; lap <= n; lap++) {
      litres -= burnL * share(lap)
      if (lap > 0) timeMs += current.lapMs * share(500 + lap)
    }
    const inTime = limitsMs.every(leftMs => timeMs <= leftMs + 1e-6)
    return inTime && (!hasFuel || litres >= reserveOf(reserveL, burnL) - 1e-6)
  }
}

test('among limits with the same laps the plan is named last', () => {
  const current = { lapMs: 100_000, elapsedMs: 20_000 }
  const plan: TimeLimit = { reason: 'plan', leftMs: 130_000 }
  const fuel = (laps: number): LapLimit => ({ reason: 'fuel', laps })
  expect(lapsToPit([plan, fuel(1)], current)).toEqual({ laps: 0, reason: 'fuel' })
  expect(lapsToPit([plan, fuel(2)], current)).toEqual({ laps: 0, reason: 'plan' })
})

test('in 10,000 random races laps to pit equal the formula and are never one too many', () => {
  const random = seeded(3)
  const outcomes = { bounded: 0, now: 0, free: 0, 'too late': 0, 'too early': 0 }
  for (let index = 0; index < 10_000; index++) outcomes[outcomeOf(race(random))]++
  expect(outcomes).toMatchObject({ 'too late': 0, 'too early': 0 })
  expect(outcomes.bounded).toBeGreaterThan(5000)
  expect(outcomes.now).toBeGreaterThan(100)
  expect(outcomes.free).toBeGreaterThan(50)
})
