import type { Lap } from '#contract/laps.ts'
import { isOverGap } from '#racing/laps/drivenLap.ts'
import type { TimedLap } from '#racing/laps/lapTimer.ts'
import type { Yellow } from '#racing/timing/yellow.ts'
import { averageMs, bestLap, endOf, isTimedToLine } from '#web/race/lapFigures.ts'

/** Laps that this page timed itself. */
export interface OwnLaps {
  readonly laps: readonly TimedLap[]
  /** The last crossing of the line, which may not be certain yet. */
  readonly crossedAtMs: number | null
  /** Time of the newest fix. */
  readonly newestAtMs: number | null
}

const unmarked = { yellow: false, yellowMessage: null, marked: false } as const

/** Two crossings within this time are the same one. */
const sameCrossingMs = 3000

/** A smaller correction by the server does not change the shown time. */
const leastCorrectionMs = 100

/** An unconfirmed lap is shown only if its time is within these shares of the usual one. */
const leastShare = 0.75
const mostShare = 1.33

/** A crossing that the lap timer has not confirmed within this time is dropped. */
const confirmedWithinMs = 30_000

/**
 * Combines the laps that are known already, from the server and from an earlier page, with the laps that this page timed.
 * Known laps keep their numbers, and own ones continue them, also within a known one over a gap in reception. `yellowIn`
 * returns why a lap is yellow.
 */
export function mergedLaps(
  known: readonly Lap[],
  own: OwnLaps,
  yellowIn: (lap: Lap) => Yellow,
): Lap[] {
  const merged: Lap[] = []
  for (const [index, lap] of known.entries()) {
    const number = lap.number + merged.length - index
    const within = ownWithin(lap, own.laps)
    if (within.length === 0) merged.push({ ...withOwnTime(lap, own.laps), number })
    for (const [later, each] of within.entries())
      merged.push(withYellow(rounded(lapOf(each), number + later)))
  }
  for (const lap of own.laps) {
    const added = continued(merged, lap)
    if (added) merged.push(withYellow(added))
  }
  const newest = unconfirmed(merged, own)
  if (newest) merged.push(withYellow(newest))
  return merged

  function withYellow(lap: Lap): Lap {
    const { yellow, yellowMessage, yellowFlag } = yellowIn(lap)
    return {
      ...lap,
      yellow: lap.yellow || yellow,
      yellowMessage: yellowMessage ?? lap.yellowMessage,
      yellowFlag: yellowFlag ?? lap.yellowFlag ?? null,
    }
  }
}

/** Returns the own laps of which one over a gap in reception consists; none if the phone missed a part of it too. */
function ownWithin(lap: Lap, own: readonly TimedLap[]): readonly TimedLap[] {
  if (!isOverGap(lap)) return []
  const within = own.filter(
    ({ startedAtMs, timeMs }) =>
      startedAtMs > lap.startedAt - sameCrossingMs &&
      startedAtMs + timeMs < endOf(lap) + sameCrossingMs,
  )
  const timeMs = within.reduce((sum, each) => sum + each.timeMs, 0)
  return Math.abs(timeMs - lap.timeMs) < sameCrossingMs ? within : []
}

function withOwnTime(lap: Lap, own: readonly TimedLap[]): Lap {
  const same = own.find(
    ({ startedAtMs, timeMs }) =>
      Math.abs(startedAtMs - lap.startedAt) < sameCrossingMs &&
      Math.abs(timeMs - lap.timeMs) < leastCorrectionMs,
  )
  return same ? { ...lap, timeMs: Math.round(same.timeMs) } : lap
}

/** Returns the lap with its number after the merged ones; null if they include it. */
function continued(merged: readonly Lap[], timed: TimedLap): Lap | null {
  const lap = lapOf(timed)
  const last = merged.at(-1)
  if (!last) return rounded(lap, lap.number)
  if (endOf(lap) < endOf(last) + sameCrossingMs) return null
  // The first part that this page saw may be the rest of a lap that began before.
  if (lap.kind === 'out' && isTimedToLine(last)) {
    const whole = wholeLap(merged, last, endOf(lap))
    if (whole) return whole
  }
  if (lap.startedAt < endOf(last) - sameCrossingMs) return null
  return rounded(lap, last.number + 1)
}

/** True while the lap timer may still confirm the last crossing. */
export function isUnconfirmed({ crossedAtMs, newestAtMs }: Omit<OwnLaps, 'laps'>): boolean {
  return (
    crossedAtMs !== null && newestAtMs !== null && newestAtMs - crossedAtMs <= confirmedWithinMs
  )
}

/** Returns the lap that ended with a crossing which the lap timer has not confirmed; null without one. */
function unconfirmed(merged: readonly Lap[], own: OwnLaps): Lap | null {
  const last = merged.at(-1)
  if (!last || own.crossedAtMs === null || !isUnconfirmed(own) || !isTimedToLine(last)) return null
  if (own.crossedAtMs < endOf(last) + sameCrossingMs) return null
  return wholeLap(merged, last, own.crossedAtMs)
}

/** Returns the lap from the end of the last one; null if its time is far from the usual one. */
function wholeLap(merged: readonly Lap[], last: Lap, endMs: number): Lap | null {
  const usualMs = averageMs(merged.slice(-20)) ?? bestLap(merged)?.timeMs ?? null
  const timeMs = endMs - endOf(last)
  if (usualMs === null || timeMs < leastShare * usualMs || timeMs > mostShare * usualMs) return null
  const { plusMinusMs } = bestLap(merged) ?? last
  // A lap over a gap ends at a seen crossing.
  const isSeen = isOverGap(last) || last.isSeen
  const lap = { startedAt: endOf(last), timeMs, plusMinusMs, kind: 'full' as const, isSeen }
  return rounded({ ...lap, ...unmarked }, last.number + 1)
}

function lapOf({ startedAtMs, ...timed }: TimedLap) {
  return { ...unmarked, ...timed, startedAt: startedAtMs }
}

function rounded(lap: Omit<Lap, 'number'>, number: number): Lap {
  return {
    ...lap,
    number,
    startedAt: Math.round(lap.startedAt),
    timeMs: Math.round(lap.timeMs),
    plusMinusMs: Math.round(lap.plusMinusMs),
  }
}

export function timedLap({ startedAt, ...lap }: Lap): TimedLap {
  return { ...lap, startedAtMs: startedAt }
}
