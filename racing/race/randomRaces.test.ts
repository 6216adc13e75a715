import { expect, test } from 'vitest'
import { drivenCar } from '#testing/drivenCar.ts'
import { seeded } from '#testing/drives.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import type { CarRace, Fill } from './carRace.ts'
import { type Strategy, type StrategyLimits, strategyOf } from './strategy.ts'

/**
 * Random races, whose fuel and laps to pit are compared with a calculation that follows the definition step by step,
 * without any function of the app: it drives the remaining laps one by one until a limit is broken.
 */
function race(random: () => number): { driven: CarRace; limits: StrategyLimits } {
  const between = (least: number, most: number) => least + (most - least) * random()
  const usualMs = Math.round(between(45_000, 400_000))
  const count = 6 + Math.floor(between(0, 40))
  const laps: DrivenLap[] = []
  let startedAt = 0
  for (let index = 0; index < count; index++) {
    const yellow = random() < 0.15
    const timeMs = Math.round(usualMs * between(1, 1.05) * (yellow ? 1.6 : 1))
    laps.push({ startedAt, timeMs, kind: 'full', isSeen: true, yellow })
    startedAt += timeMs
  }
  const tankL = Math.round(between(30, 120))
  const truth = { greenL: between(0.4, 4), yellowL: 0 }
  truth.yellowL = truth.greenL * between(0.3, 0.7)
  const fills: Fill[] = []
  if (random() < 0.8) fills.push({ kind: 'start', at: 0, litres: Math.round(between(10, tankL)) })
  for (let index = 4; index < count - 1; index += 4 + Math.floor(between(0, 15)))
    fills.push({
      kind: random() < 0.6 ? 'full' : 'part',
      at: (laps[index]?.startedAt ?? 0) + 10,
      litres: Math.round(between(1, 60) * 10) / 10,
    })
  const nowMs = startedAt + Math.round(between(0, 1.2) * usualMs)
  const car = {
    tankL,
    reserveL: random() < 0.5 ? null : between(0, 8),
    burnL: random() < 0.7 ? truth.greenL * between(0.9, 1.1) : null,
  }
  const limits: StrategyLimits = {
    nowMs,
    times: (['stint', 'driver', 'plan'] as const)
      .filter(() => random() < 0.4)
      .map(reason => ({ reason, leftMs: Math.round(between(-60_000, 7_200_000)) })),
    stintMs: null,
    race: { leftMs: null, laps: null },
    lapMs: null,
    mandatoryStops: 0,
  }
  return { driven: drivenCar({ laps, fills, car }), limits }
}

/** Returns the median of green laps; infinite without one. */
function medianGreenMs(laps: readonly DrivenLap[]): number {
  const times = laps.filter(({ yellow }) => !yellow).map(({ timeMs }) => timeMs)
  times.sort((a, b) => a - b)
  const [low, high] = [times[Math.ceil(times.length / 2) - 1], times[Math.floor(times.length / 2)]]
  return low === undefined || high === undefined ? Number.POSITIVE_INFINITY : (low + high) / 2
}

/** Returns the fuel level at the last crossing of the line, by following the tank through all laps and fills. */
function levelOf({ laps, fills, car }: CarRace, greenL: number, yellowL: number): number {
  const tankL = car?.tankL ?? 0
  const usualMs = medianGreenMs(laps)
  const slow = (timeMs: number) => Math.min(1, Math.max(0, timeMs / usualMs - 1))
  let level = tankL
  const events = [
    ...fills.map(({ kind, at, litres }) => ({
      at,
      happen: () => {
        if (kind === 'part') level = Math.min(tankL, level + litres)
        else level = kind === 'start' ? litres : tankL
      },
    })),
    ...laps.map(({ startedAt, timeMs, yellow }) => ({
      at: startedAt + timeMs,
      happen: () => {
        const part = yellow ? slow(timeMs) : 0
        level = Math.max(0, level - (1 - part) * greenL - part * yellowL)
      },
    })),
  ]
  for (const { happen } of events.sort((a, b) => a.at - b.at)) happen()
  return level
}

/** Drives on lap by lap. Returns the number of the last pit entry within all limits. */
function lastEntry(
  { laps, car }: CarRace,
  { nowMs, times }: StrategyLimits,
  fuel: { litres: number; lapL: number } | null,
): number | null {
  const green = laps.filter(({ yellow }) => !yellow).slice(-5)
  const lapMs = Math.max(...green.map(({ timeMs }) => timeMs))
  const last = laps.at(-1)
  const elapsedMs = nowMs - ((last?.startedAt ?? 0) + (last?.timeMs ?? 0))
  if (times.length === 0 && !fuel) return null
  let timeMs = Math.max(0, lapMs - elapsedMs)
  let litres = (fuel?.litres ?? 0) - (fuel?.lapL ?? 0)
  for (let entry = 0; ; entry++) {
    // Checks the limits after one more lap.
    timeMs += entry === 0 ? 0 : lapMs
    litres -= entry === 0 ? 0 : (fuel?.lapL ?? 0)
    const reserveL = Math.max(car?.reserveL ?? 0, fuel?.lapL ?? 0)
    const isLate = times.some(({ leftMs }) => timeMs > leftMs)
    if (isLate || (fuel && litres < reserveL - 1e-9)) return Math.max(0, entry - 1)
  }
}

/** Returns the difference between the figures of a race and the calculation; null if they are equal. */
function differenceOf(
  { driven, limits }: ReturnType<typeof race>,
  { fuel, lapsToPit }: Strategy,
): string | null {
  const green = driven.laps.filter(({ yellow }) => !yellow)
  const isPaceKnown = green.length >= 3
  const atLineL = fuel ? levelOf(driven, fuel.burn.greenL, fuel.burn.yellowL) : 0
  if (fuel) {
    const last = driven.laps.at(-1)
    const sinceMs = limits.nowMs - ((last?.startedAt ?? 0) + (last?.timeMs ?? 0))
    const share = isPaceKnown ? Math.min(1, sinceMs / medianGreenMs(green.slice(-5))) : 0
    const litres = Math.max(0, atLineL - share * fuel.burn.greenL)
    if (Math.abs(fuel.leftL - litres) > 1e-6) return `${fuel.leftL} L are left, not ${litres}`
  }
  const given = fuel && {
    litres: Math.max(0, atLineL - fuel.plusMinusL),
    lapL: fuel.burn.greenL + fuel.burn.plusMinusL,
  }
  const expected = isPaceKnown ? lastEntry(driven, limits, given) : null
  return lapsToPit === expected ? null : `pit in ${lapsToPit} laps, not ${expected}`
}

test('in 10,000 random races fuel and laps to pit equal a step-by-step calculation', () => {
  const random = seeded(29)
  const seen = { fuel: 0, limits: 0, none: 0 }
  const differences: string[] = []
  for (let index = 0; index < 10_000; index++) {
    const input = race(random)
    const { driven, limits } = input
    const strategy = strategyOf(driven, limits)
    const difference = differenceOf(input, strategy)
    if (difference !== null) differences.push(`race ${index}: ${difference}`)
    const { lapsToPit } = strategy
    const inTime = strategyOf({ ...driven, car: null }, limits).lapsToPit
    seen[lapsToPit === null ? 'none' : lapsToPit === inTime ? 'limits' : 'fuel']++
  }
  expect(differences).toEqual([])
  expect(seen.fuel).toBeGreaterThan(2000)
  expect(seen.limits).toBeGreaterThan(2000)
  expect(seen.none).toBeGreaterThan(50)
})
