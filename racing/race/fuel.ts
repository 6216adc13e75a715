import type { FillKind } from '#contract/shared/fillRules.ts'
import { crossedLaps, type DrivenLap } from '../laps/drivenLap.ts'
import { type Burn, burnt, type FuelUse, learnBurn } from './burn.ts'
import { type EarlierEnd, hiddenLaps } from './hiddenLaps.ts'

/** An entry about fuel. */
export interface Fill {
  readonly at: number
  readonly litres: number
  readonly kind: FillKind
}

/** Litres of a car; null where nobody has entered them. */
export interface Tank {
  readonly tankL: number | null
  readonly reserveL: number | null
  /** Expected consumption of a green lap. */
  readonly burnL: number | null
}

/** The fuel of a car when it crossed the line the last time. */
export interface Fuel {
  readonly burn: Burn
  readonly leftL: number
  /** Half its 95 % interval. */
  readonly plusMinusL: number
  /** True if nobody entered the fuel at the start: a full tank is assumed. */
  readonly isAssumed: boolean
}

/** Laps of a car, and the fill after them. */
interface FuelStep {
  readonly greenLaps: number
  readonly yellowLaps: number
  /** How many of the green laps a gap in reception hid. */
  readonly hiddenLaps: number
  /** Null: no fill since these laps. */
  readonly litres: number | null
}

/** The last known level of a car, and what happened since. */
export interface FuelSince {
  /** Null: the tank was full. */
  readonly levelL: number | null
  /** True if nobody entered the level. */
  readonly isAssumed: boolean
  /** In order of time. */
  readonly steps: readonly FuelStep[]
}

interface Entries {
  /** In order of time. */
  readonly fills: readonly Fill[]
  /** In order of time. */
  readonly laps: readonly DrivenLap[]
  /** Visits to the pits, in order of time. */
  readonly visits?: readonly { readonly startedAt: number; readonly endedAt: number | null }[]
  /** Fuel that the car burnt in earlier sessions of the race: see `fuelUses`. */
  readonly earlierUses?: readonly FuelUse[]
  /** The fuel with which the car's last session of the race ended: see `fuelSince`. Without it, the tank was full. */
  readonly earlierFuel?: FuelSince | undefined
  readonly earlierEnd?: EarlierEnd | undefined
}

const fullTank: FuelSince = { levelL: null, isAssumed: true, steps: [] }

/**
 * Returns the burn, learned from fills to full: between two of them the car burnt the litres of the second one, and
 * before the first one those that the tank had lost since the start.
 */
export function burnOf(tank: Tank, entries: Entries): Burn | null {
  return learnBurn([...(entries.earlierUses ?? []), ...fuelUses(tank, entries)], tank.burnL)
}

/**
 * Returns the fuel that is left: the last known level, minus (n_g · b_g + n_y · b_y) for the green and yellow laps up to
 * each later fill, plus its litres. The tank is never fuller than full or emptier than empty. Null without a burn or a
 * level.
 */
export function fuelOf(tank: Tank, entries: Entries): Fuel | null {
  const burn = burnOf(tank, entries)
  const { levelL, isAssumed, steps } = fuelSince(entries)
  const knownL = levelL ?? tank.tankL
  if (!burn || knownL === null) return null
  const mostL = tank.tankL ?? Number.POSITIVE_INFINITY
  const leftL = steps.reduce((beforeL, { litres, ...laps }) => {
    const emptiedL = Math.max(0, beforeL - burnt(burn, laps).litres)
    return litres === null ? emptiedL : Math.min(mostL, emptiedL + litres)
  }, knownL)
  return { burn, leftL, plusMinusL: burnt(burn, lapsIn(steps)).plusMinusL, isAssumed }
}

/**
 * Returns the last known level of a car, and its laps and fills since. The fuel of its last session goes on until an
 * entry of this one gives the level: the fuel at the start, or a fill to full.
 */
export function fuelSince(entries: Entries): FuelSince {
  return sinceKnown(entries, crossingsIn(entries), Number.POSITIVE_INFINITY)
}

function sinceKnown(
  { fills, earlierFuel = fullTank }: Pick<Entries, 'fills' | 'earlierFuel'>,
  crossings: readonly Crossing[],
  untilMs: number,
): FuelSince {
  const start = fills.find(({ kind }) => kind === 'start')
  const full = fills.findLast(({ kind }) => kind === 'full')
  const known = full ?? start
  const before = known
    ? { levelL: known.kind === 'full' ? null : known.litres, isAssumed: false, steps: [] }
    : earlierFuel
  const steps: FuelStep[] = []
  let fromMs = known?.at ?? Number.NEGATIVE_INFINITY
  for (const { at, litres } of partsOf(fills, fromMs, untilMs)) {
    steps.push({ ...lapsBetween(crossings, fromMs, at), litres })
    fromMs = at
  }
  steps.push({ ...lapsBetween(crossings, fromMs, untilMs), litres: null })
  return { ...before, steps: [...before.steps, ...steps] }
}

function lapsIn(steps: readonly FuelStep[]) {
  return {
    greenLaps: steps.reduce((sum, step) => sum + step.greenLaps, 0),
    yellowLaps: steps.reduce((sum, step) => sum + step.yellowLaps, 0),
    hiddenLaps: steps.reduce((sum, step) => sum + step.hiddenLaps, 0),
  }
}

/** Returns whether laps were driven since the last known level of the car's last session. */
export function hasLaps({ steps }: FuelSince): boolean {
  const { greenLaps, yellowLaps } = lapsIn(steps)
  return greenLaps + yellowLaps > 0
}

/**
 * Returns the litres in the tank at the last entry; null if they are unknown: without an entry, and after a fill that
 * was not to full. They do not depend on laps, so they are known even if laps are not counted.
 */
export function enteredLevelL(
  { tankL }: Pick<Tank, 'tankL'>,
  fills: readonly Fill[],
): number | null {
  const last = fills.at(-1)
  if (!last || last.kind === 'part') return null
  return last.kind === 'start' ? last.litres : tankL
}

/** Returns the least fuel that is likely to be left. */
export function pessimisticLeftL({ leftL, plusMinusL }: Fuel): number {
  return Math.max(0, leftL - plusMinusL)
}

/**
 * Returns the fuel burnt between moments with a known level, up to each fill to full of this session, if all laps between
 * them are known.
 */
export function fuelUses({ tankL }: Pick<Tank, 'tankL'>, entries: Entries): FuelUse[] {
  const { fills, earlierFuel } = entries
  const crossings = crossingsIn(entries)
  return fills.flatMap((full, index) => {
    if (full.kind !== 'full') return []
    const before = { fills: fills.slice(0, index), earlierFuel }
    const { levelL, isAssumed, steps } = sinceKnown(before, crossings, full.at)
    if (isAssumed) return []
    // A full tank has the same level each time; another level needs the size of the tank.
    const missingL = levelL === null ? 0 : tankL === null ? null : tankL - levelL
    if (missingL === null) return []
    const partsL = steps.reduce((sum, { litres }) => sum + (litres ?? 0), 0)
    const { hiddenLaps: hidden, ...driven } = lapsIn(steps)
    return hidden > 0 ? [] : [{ litres: full.litres + partsL - missingL, ...driven }]
  })
}

function partsOf(fills: readonly Fill[], fromMs: number, toMs: number): Fill[] {
  return fills.filter(({ kind, at }) => kind === 'part' && at >= fromMs && at < toMs)
}

/** A crossing of the line, and the lap that it ends. */
interface Crossing {
  readonly at: number
  readonly lap: 'green' | 'yellow' | 'hidden'
}

/** Returns the crossings of the line, with those that gaps in reception hid. */
function crossingsIn({ laps, visits = [], earlierEnd }: Entries): Crossing[] {
  const seen = crossedLaps(laps).map(({ startedAt, timeMs, yellow }): Crossing => {
    return { at: startedAt + timeMs, lap: yellow ? 'yellow' : 'green' }
  })
  const hidden = hiddenLaps(laps, visits, earlierEnd).flatMap(({ at }) => at)
  return [...seen, ...hidden.map((at): Crossing => ({ at, lap: 'hidden' }))]
}

/**
 * Counts crossings of the line. Between two fills they are the laps exactly, because the box stays at its place; after
 * the last one the lap in which the car left its box counts whole, which is at most one too many. Hidden laps count as
 * green.
 */
function lapsBetween(crossings: readonly Crossing[], fromMs: number, toMs: number) {
  const between = crossings.filter(({ at }) => at > fromMs && at <= toMs)
  const yellowLaps = between.filter(({ lap }) => lap === 'yellow').length
  const hidden = between.filter(({ lap }) => lap === 'hidden').length
  return { greenLaps: between.length - yellowLaps, yellowLaps, hiddenLaps: hidden }
}
