import { longestCircuitM, shortestCircuitM } from '#contract/shared/bounds.ts'
import type { Point } from '#contract/shared/geo.ts'
import { shortestLapMs } from '#contract/shared/lapTimingStops.ts'
import { fastMps, parkedMps } from '../fix.ts'
import { isSlowDrive } from './plausible.ts'

/** A fix on a flat map, with the values that finding a closed lap needs. */
export interface DrivenFix extends Point {
  readonly atMs: number
  readonly speedMps: number
  /** 0 is north, 90 is east. */
  readonly headingDeg: number
  readonly accuracyM: number | null
  /** Metres driven since the first fix, by the odometer. */
  readonly drivenM: number
}

/** Indexes of two fixes at the same place, one lap apart. */
export interface Closure {
  readonly from: number
  readonly to: number
}

/** An odometer may show this share of the shortest lap: phones under-read their speed by a fifth. */
const leastReturnShare = 0.75

/** A car is at the same place within this distance (or the reported accuracy), and drives in the same direction. */
const samePlaceM = 25
const samePlaceAccuracies = 1.5

const sameHeadingDeg = 35

/** Along the road, the nearest earlier fix may be half the distance between two fixes away, and this share more. */
const stepTolerance = 0.1

/** Fixes of the same earlier pass are within this distance. */
const samePassM = 80

/** The lap with the best reception is chosen: a metre of reported accuracy counts as this many metres of gap. */
const accuracyWeight = 5

/** Earlier fixes are found by square cells of the map: one every few metres is stored, and the newest of each cell. */
const leastCellM = 50
const storedEveryM = 5
const maxInCell = 40

/** Cells reach as far as the nearest fix of the lap before: over this share of a long distance between two fixes. */
const longestReachSteps = 1 / 2 + stepTolerance + 0.1
const longStepShare = 0.9

/** Fixes that are searched in one step. */
const fixesPerStep = 30

/** Fewest fixes that must agree on the length of the lap, within this share of it. */
const agreeing = 6
const agreeWithin = 0.04

/** A slow drive returns over this many laps: a car in a paddock may drive around it once or twice. */
const slowLaps = 2

/** A vehicle drives straight on over this distance. The noise of a receiver at rest moves to and fro. */
const straightOverM = 30
const straightShare = 0.8

/**
 * Finds where a drive closed its lap: most fixes are one lap of the same length after an earlier fix at the same
 * place. Parallel straights are the same place too, but with fewer fixes. Returns null before a lap is closed.
 */
export function* closureOf(fixes: readonly DrivenFix[]): Generator<undefined, Closure | null> {
  const isSlow = isSlowDrive(fixes)
  const returns = yield* returnsIn(fixes, isSlow ? parkedMps : fastMps)
  const lengthM = commonLengthM(returns.map(({ lapM }) => lapM))
  if (lengthM === null) return null
  const agreed = returns.filter(({ lapM }) => Math.abs(lapM / lengthM - 1) <= agreeWithin)
  if (isSlow && (returnedOverM(fixes, agreed) < slowLaps * lengthM || !isStraight(fixes)))
    return null
  let best: Closure | null = null
  let least = Number.POSITIVE_INFINITY
  const accuracySumsM = runningSum(fixes.map(({ accuracyM }) => accuracyM ?? 0))
  for (const [index, { from, to, apartM }] of agreed.entries()) {
    if (index % fixesPerStep === 0) yield
    const meanAccuracyM =
      ((accuracySumsM[to] as number) - (accuracySumsM[from] as number)) / (to - from)
    const wellKnownM = apartM + accuracyWeight * meanAccuracyM
    const unsure = wellKnownM + longestStepM(fixes, from, to, least - wellKnownM)
    if (unsure >= least) continue
    least = unsure
    best = { from, to }
  }
  return best
}

function runningSum(values: readonly number[]): number[] {
  let sum = 0
  return values.map(value => {
    sum += value
    return sum
  })
}

interface Return extends Closure {
  readonly lapM: number
  readonly apartM: number
}

/** Returns the distance from the first to the last return. */
function returnedOverM(fixes: readonly DrivenFix[], returns: readonly Return[]): number {
  const drivenM = (index: number | undefined) => fixes[index ?? 0]?.drivenM ?? 0
  return drivenM(returns.at(-1)?.to) - drivenM(returns[0]?.to)
}

/** True if most fixes are straight ahead of where the car was some metres before, as on a road. */
function isStraight(fixes: readonly DrivenFix[]): boolean {
  let straight = 0
  let compared = 0
  let from = 0
  for (const fix of fixes) {
    const earlier = fixes[from] as DrivenFix
    const drivenM = fix.drivenM - earlier.drivenM
    if (drivenM < straightOverM) continue
    compared += 1
    const apartM = Math.hypot(fix.eastM - earlier.eastM, fix.northM - earlier.northM)
    if (apartM >= straightShare * drivenM) straight += 1
    while (from < fixes.length && fix.drivenM - (fixes[from] as DrivenFix).drivenM >= straightOverM)
      from += 1
  }
  return straight > compared / 2
}

/** Returns the distance between two fast fixes that only a tenth of them exceed. */
function usualLongStepM(fixes: readonly DrivenFix[], leastMps: number): number {
  const stepsM = fixes
    .flatMap(({ drivenM, speedMps }, index) => {
      const before = fixes[index - 1]
      return before && speedMps >= leastMps ? drivenM - before.drivenM : []
    })
    .sort((a, b) => a - b)
  return stepsM[Math.floor(longStepShare * stepsM.length)] ?? 0
}

/** Finds the most recent earlier fix at the same place, for each fix that has one and is at least this fast. */
function* returnsIn(fixes: readonly DrivenFix[], leastMps: number): Generator<undefined, Return[]> {
  const cellM = Math.max(leastCellM, longestReachSteps * usualLongStepM(fixes, leastMps))
  const cells = new Map<string, number[]>()
  const found: Return[] = []
  let storedM = Number.NEGATIVE_INFINITY
  for (const [to, fix] of fixes.entries()) {
    if (to % fixesPerStep === 0) yield
    if (fix.speedMps < leastMps) continue
    const east = Math.floor(fix.eastM / cellM)
    const north = Math.floor(fix.northM / cellM)
    const near = [-1, 0, 1].flatMap(dx =>
      [-1, 0, 1].flatMap(dy => cells.get(`${east + dx} ${north + dy}`) ?? []),
    )
    const nearest = lastReturn(fixes, to, near)
    if (nearest) found.push(nearest)
    if (fix.drivenM - storedM < storedEveryM) continue
    storedM = fix.drivenM
    const cell = `${east} ${north}`
    cells.set(cell, [...(cells.get(cell) ?? []).slice(1 - maxInCell), to])
  }
  return found
}

function lastReturn(fixes: readonly DrivenFix[], to: number, near: number[]): Return | null {
  const fix = fixes[to] as DrivenFix
  const withinM = Math.min(
    leastCellM,
    Math.max(samePlaceM, samePlaceAccuracies * (fix.accuracyM ?? 0)),
  )
  let best: Return | null = null
  for (const from of near.toSorted((one, other) => other - one)) {
    const earlier = fixes[from] as DrivenFix
    const { aheadM, besideM } = offsetFrom(earlier, fix)
    const lapM = fix.drivenM - earlier.drivenM - aheadM
    if (lapM > longestCircuitM || (best && lapM - best.lapM > samePassM)) break
    if (lapM < leastReturnShare * shortestCircuitM || fix.atMs - earlier.atMs < shortestLapMs)
      continue
    if (turnDeg(fix.headingDeg, earlier.headingDeg) > sameHeadingDeg) continue
    // The fixes of a fast car are farther apart than `samePlaceM`.
    const stepM = (fixes[from + 1]?.drivenM ?? earlier.drivenM) - earlier.drivenM
    if (
      besideM > withinM ||
      Math.abs(aheadM) > Math.max(withinM, stepM / 2 + stepTolerance * stepM)
    )
      continue
    const apartM = Math.hypot(aheadM, besideM)
    if (apartM < (best?.apartM ?? Number.POSITIVE_INFINITY)) best = { from, to, lapM, apartM }
  }
  return best
}

/** Measures how far a fix is ahead of an earlier one, in its direction, and beside it. */
function offsetFrom(earlier: DrivenFix, fix: DrivenFix): { aheadM: number; besideM: number } {
  const radians = (earlier.headingDeg * Math.PI) / 180
  const eastM = fix.eastM - earlier.eastM
  const northM = fix.northM - earlier.northM
  return {
    aheadM: eastM * Math.sin(radians) + northM * Math.cos(radians),
    besideM: Math.abs(eastM * Math.cos(radians) - northM * Math.sin(radians)),
  }
}

/** Returns the length on which most returns agree; null if too few do. */
function commonLengthM(lengthsM: number[]): number | null {
  const sorted = lengthsM.toSorted((a, b) => a - b)
  let most = agreeing - 1
  let common: number | null = null
  let end = 0
  for (let start = 0; start < sorted.length; start++) {
    while (
      end < sorted.length &&
      (sorted[end] as number) <= (sorted[start] as number) * (1 + agreeWithin)
    )
      end++
    if (end - start <= most) continue
    most = end - start
    common = sorted[(start + end - 1) >> 1] as number
  }
  return common
}

/** Returns the longest distance between neighbouring fixes; stops counting beyond `limitM`. */
function longestStepM(
  fixes: readonly DrivenFix[],
  from: number,
  to: number,
  limitM: number,
): number {
  let longest = 0
  for (let index = from + 1; index <= to && longest < limitM; index++) {
    const stepM = (fixes[index] as DrivenFix).drivenM - (fixes[index - 1] as DrivenFix).drivenM
    longest = Math.max(longest, stepM)
  }
  return longest
}

function turnDeg(one: number, other: number): number {
  return Math.abs(((one - other + 540) % 360) - 180)
}
