import type { FillKind } from '#contract/shared/racing/fillRules.ts'
import { crossedLaps, type DrivenLap } from '../laps/drivenLap.ts'
import { hiddenLaps } from '../strategy/hiddenLaps.ts'
import { type Burn, burnt, type FuelUse, learnBurn } from './burn.ts'

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

interface Entries {
  /** In order of time. */
  readonly fills: readonly Fill[]
  /** In order of time. */
  readonly laps: readonly DrivenLap[]
  /** Visits to the pits, in order of time. */
  readonly visits?: readonly { readonly startedAt: number; readonly endedAt: number | null }[]
  /** Fuel that the car burnt in earlier sessions of the race: see `fuelUses`. */
  readonly earlierUses?: readonly FuelUse[]
}

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
  const start = entries.fills.find(({ kind }) => kind === 'start')
  const full = entries.fills.findLast(({ kind }) => kind === 'full')
  const levelL = full || !start ? tank.tankL : start.litres
  if (!burn || levelL === null) return null
  const sinceMs = (full ?? start)?.at ?? Number.NEGATIVE_INFINITY
  const crossings = crossingsIn(entries)
  const burntL = (fromMs: number, toMs: number) =>
    burnt(burn, lapsBetween(crossings, fromMs, toMs)).litres
  const mostL = tank.tankL ?? Number.POSITIVE_INFINITY
  let leftL = levelL
  let fromMs = sinceMs
  for (const { at, litres } of partsOf(entries.fills, sinceMs, Number.POSITIVE_INFINITY)) {
    leftL = Math.min(mostL, Math.max(0, leftL - burntL(fromMs, at)) + litres)
    fromMs = at
  }
  const used = burnt(burn, lapsBetween(crossings, sinceMs, Number.POSITIVE_INFINITY))
  return {
    burn,
    leftL: Math.max(0, leftL - burntL(fromMs, Number.POSITIVE_INFINITY)),
    plusMinusL: used.plusMinusL,
    isAssumed: !full && !start,
  }
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

/** Returns the fuel burnt in a session between moments with a known level, if all laps between them are known. */
export function fuelUses({ tankL }: Pick<Tank, 'tankL'>, entries: Entries): FuelUse[] {
  const { fills } = entries
  const known = fills.filter(({ kind }) => kind !== 'part')
  const crossings = crossingsIn(entries)
  return known.slice(1).flatMap((full, index) => {
    const before = known[index]
    if (!before || full.kind !== 'full') return []
    // A full tank has the same level each time; another level needs the size of the tank.
    const missingL = before.kind === 'full' ? 0 : tankL === null ? null : tankL - before.litres
    if (missingL === null) return []
    const partsL = partsOf(fills, before.at, full.at).reduce((sum, { litres }) => sum + litres, 0)
    const litres = full.litres + partsL - missingL
    const { hidden, ...driven } = lapsBetween(crossings, before.at, full.at)
    return hidden > 0 ? [] : [{ litres, ...driven }]
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
function crossingsIn({ laps, visits = [] }: Entries): Crossing[] {
  const seen = crossedLaps(laps).map(({ startedAt, timeMs, yellow }): Crossing => {
    return { at: startedAt + timeMs, lap: yellow ? 'yellow' : 'green' }
  })
  const hidden = hiddenLaps(laps, visits).flatMap(({ at }) => at)
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
  return { greenLaps: between.length - yellowLaps, yellowLaps, hidden }
}
