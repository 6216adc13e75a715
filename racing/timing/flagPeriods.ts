import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { handFlagMs } from './byHand.ts'
import { paceFlagOf } from './paceFlag.ts'
import type { FlagWord } from './rmonitorLine.ts'

/** A flag that lines of a source stated, from the first of them to the newest. Times are in milliseconds. */
export interface SeenFlag {
  /** Null: the source shows none. */
  readonly flag: FlagWord | null
  readonly fromMs: number
  readonly seenMs: number
}

/** A flag that was entered by hand. */
export interface EnteredFlag {
  readonly flag: string
  readonly at: number
}

/** A time in which an official flag decided whether laps are yellow. */
export interface FlagPeriod {
  readonly flag: FlagWord
  /** False under green. */
  readonly isYellow: boolean
  /** True if it was entered by hand: a later message is newer. */
  readonly byHand: boolean
  readonly fromMs: number
  /** Null: until something newer is known. */
  readonly untilMs: number | null
}

/** Maximum pause between two lines of one flag. It is longer than on the glass: a provider may be read only every 10 s. */
const longestPauseMs = 15_000

/**
 * Combines a flag with the last one that began before it. Returns the last one with a later end if it is the same, else
 * the next one, which replaces one of the same time. Null if another flag was seen at this time.
 */
export function withSeen(before: SeenFlag | undefined, next: SeenFlag): SeenFlag | null {
  if (before?.flag === next.flag && next.fromMs - before.seenMs <= longestPauseMs)
    return { ...before, seenMs: Math.max(before.seenMs, next.seenMs) }
  return before && next.fromMs < before.seenMs ? null : next
}

/** Returns the time until which a flag of a source counts, if no other one follows. */
export function silentAfterMs({ seenMs }: SeenFlag): number {
  return seenMs + silentFeedMs
}

/**
 * Returns when official flags decided whether laps are yellow, in order of time, like both lists. A source counts before
 * entries by hand. An entry counts until the next one, or until a source states a flag; one other than green for an hour at
 * most, as on the glass.
 */
export function flagPeriods(
  seen: readonly SeenFlag[],
  entered: readonly EnteredFlag[],
): FlagPeriod[] {
  const ofSource = seen.map((each, index) => ({
    flag: each.flag,
    byHand: false,
    fromMs: each.fromMs,
    untilMs: endOf(each, seen[index + 1]),
  }))
  const byHand = entered.map(({ flag, at }, index) => {
    const last = seen.findLastIndex(({ fromMs }) => fromMs <= at)
    const isOlder = at <= (seen[last]?.seenMs ?? Number.NEGATIVE_INFINITY)
    const never = Number.POSITIVE_INFINITY
    const endMs = Math.min(
      seen[last + 1]?.fromMs ?? never,
      entered[index + 1]?.at ?? never,
      isYellowFlag(flag) ? at + handFlagMs : never,
    )
    const untilMs = isOlder ? at : endMs === never ? null : endMs
    const fromMs = Math.max(at, ofSource[last]?.untilMs ?? at)
    return { flag, byHand: true, fromMs, untilMs }
  })
  return [...ofSource, ...byHand]
    .flatMap(({ flag, ...times }) => {
      const isYellow = isYellowFlag(flag)
      const isEmpty = times.untilMs !== null && times.untilMs <= times.fromMs
      return flag === null || isYellow === null || isEmpty ? [] : [{ flag, isYellow, ...times }]
    })
    .toSorted((a, b) => a.fromMs - b.fromMs)
}

function endOf(flag: SeenFlag, next: SeenFlag | undefined): number {
  if (!next) return silentAfterMs(flag)
  const isFollowed = next.fromMs - flag.seenMs <= longestPauseMs
  return isFollowed ? next.fromMs : Math.min(silentAfterMs(flag), next.fromMs)
}

/** Returns whether laps under a flag are yellow; null for a flag that does not decide it, such as the one at the finish. */
function isYellowFlag(flag: FlagWord | null): boolean | null {
  const pace = paceFlagOf(flag)
  if (pace) return pace === 'yellow'
  return flag?.trim().toLowerCase().startsWith('red') ? true : null
}
