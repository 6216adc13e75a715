import { hourMs } from '#contract/shared/durations.ts'
import type { Gap } from '#contract/shared/timingRules.ts'
import { paceFlagOf } from './paceFlag.ts'
import type { StandingWithGaps } from './standings.ts'

/** An entry by hand: the flag of a race, or the values that race control shows of the car of this number. */
export interface EnteredValues {
  readonly id: string
  /** Name of the person; null if unknown. */
  readonly by: string | null
  /** Milliseconds of the server's clock. */
  readonly at: number
  /** Null for a flag. */
  readonly number: string | null
  readonly flag?: string | undefined
  /** True for a flag that was entered before its race ended: it is not shown after it. */
  readonly isPast?: boolean
  readonly position?: number | undefined
  /** To the car ahead. */
  readonly gap?: Gap | undefined
  readonly laps?: number | undefined
}

/** The entry behind shown values. */
export interface EnteredBy {
  /** The newest one, which can be undone. */
  readonly entryId: string
  readonly by: string | null
  /** When the oldest of the values was entered. */
  readonly at: number
}

/** Maximum age of a place that was entered by hand, on the glass: it changes every few laps. */
export const handPlaceMs = 10 * 60_000

/** Maximum age of a flag other than green: after it the crew may have stopped entering flags. */
export const handFlagMs = hourMs
const handGreenMs = 60_000

/** Returns how long a flag that was entered by hand is on the glass. */
export function handFlagLastsMs(flag: string): number {
  return paceFlagOf(flag) === 'green' ? handGreenMs : handFlagMs
}

export type ShownStanding = StandingWithGaps & {
  /** Behind position and gap. */
  readonly entered?: EnteredBy
  /** When the laps were entered. */
  readonly lapsEnteredAt?: number
}

/** The flag of a race that was entered by hand. */
export interface HandFlag extends EnteredBy {
  readonly flag: string
  /** True if its race has ended since. */
  readonly isPast: boolean
}

/** How long a feed has been silent. */
export interface FeedAge {
  /** When its newest line was received; null before the first one. */
  readonly receivedAt: number | null
  /** True while its lines are shown as current. */
  readonly isCurrent: boolean
}

/**
 * Returns the flag that was entered after the newest line with a flag; null while the feed is current. `entries` are in
 * order of time.
 */
export function enteredFlag(entries: readonly EnteredValues[], feed: FeedAge): HandFlag | null {
  const entry = entries.findLast(({ flag }) => flag !== undefined)
  if (entry?.flag === undefined || !isNewer(entry, feed)) return null
  const { flag, id: entryId, by, at, isPast = false } = entry
  return { flag, isPast, entryId, by, at }
}

/**
 * Returns the order with the cars that were entered after the newest line, and those that the feed lacks. Values that were
 * not entered are not known: those of the feed are older. `entries` are in order of time.
 */
export function withEnteredCars(
  standings: readonly StandingWithGaps[],
  entries: readonly EnteredValues[],
  feed: FeedAge,
): ShownStanding[] {
  const numbers = new Set(entries.flatMap(({ number }) => number ?? []))
  const entered = [...numbers].flatMap(number => {
    const known = standings.find(each => each.number === number)
    const counting = entries.filter(
      each => each.number === number && (!known || isNewer(each, feed)),
    )
    return enteredStanding(number, counting, known?.className ?? null) ?? []
  })
  if (entered.length === 0) return [...standings]
  const replaced = new Set(entered.map(({ number }) => number))
  return [...standings.filter(({ number }) => !replaced.has(number)), ...entered].sort(
    (a, b) => a.position - b.position,
  )
}

function isNewer({ at }: EnteredValues, { receivedAt, isCurrent }: FeedAge): boolean {
  return !isCurrent && (receivedAt === null || at > receivedAt)
}

/** Returns null without a position. A gap counts only at the position at which it was entered. */
function enteredStanding(
  number: string,
  entries: readonly EnteredValues[],
  className: string | null,
): ShownStanding | null {
  const placed = entries.findLast(({ position }) => position !== undefined)
  if (placed?.position === undefined) return null
  const { position } = placed
  const moved = entries.findLastIndex(each => (each.position ?? position) !== position)
  const since =
    moved + 1 && entries.findIndex((each, i) => i > moved && each.position !== undefined)
  const gapped = entries.slice(since).findLast(({ gap }) => gap !== undefined)
  const counted = entries.findLast(({ laps }) => laps !== undefined)
  const shown = entries.filter(each => [placed, gapped].includes(each))
  const [oldest = placed] = shown
  return {
    position,
    number,
    className,
    classPosition: null,
    laps: counted?.laps ?? null,
    totalMs: null,
    bestMs: null,
    lastMs: null,
    toLeader: null,
    toAhead: gapped?.gap ?? null,
    toAheadInClass: null,
    usualMs: null,
    stops: null,
    entered: { entryId: entries.at(-1)?.id ?? placed.id, by: oldest.by, at: oldest.at },
    ...(counted && { lapsEnteredAt: counted.at }),
  }
}
