import { leastOf } from '#contract/shared/extremes.ts'
import type { StopCounts } from '#contract/shared/raceRules.ts'

/** A visit to the pits, in milliseconds of the server's clock. */
export interface Visit {
  readonly startedAt: number
  /** Null while the car is in the pits. */
  readonly endedAt: number | null
  /** When the car stopped in its box; null if it has not stopped. */
  readonly stoppedAt: number | null
  /** The time at which it left its box; null until then. */
  readonly leftAt: number | null
}

/**
 * Returns the visit that contains a time; undefined without one. Visits are in order of time; a visit without an end lasts
 * until `openUntilMs`.
 */
export function visitAt(
  visits: readonly Visit[],
  atMs: number,
  openUntilMs: number,
): Visit | undefined {
  let [low, high] = [0, visits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((visits[middle] as Visit).startedAt <= atMs) low = middle + 1
    else high = middle
  }
  const last = visits[low - 1]
  return last && atMs <= (last.endedAt ?? openUntilMs) ? last : undefined
}

/** The shortest pit stop that a series allows, from pit-in to pit-out or standing in the box. */
export interface StopRule {
  readonly counts: StopCounts
  readonly minimumMs: number
}

/** Returns whether no position shows when a car came into the pits: it was found again in its box. */
export function isEntryUnseen({ startedAt, stoppedAt }: Visit): boolean {
  return stoppedAt !== null && stoppedAt <= startedAt
}

export interface StopClock {
  /** When the visit began: where pit-in is known, or where the car slowed down or was found (`PitTracker`). */
  readonly pitInAt: number
  /** Time that counts: from pit-in, or of the stop in the box. 0 until a stop that counts has begun. */
  readonly elapsedMs: number
  readonly minimumMs: number | null
  /** When the driver may leave the box; null without a minimum, and while it is not known. */
  readonly doneAt: number | null
  /** True if the minimum has elapsed and the car has stopped in its box. */
  readonly isDone: boolean
  /** The time from the box to the pit-out line, which `doneAt` counts in advance. */
  readonly wayOutMs: number
  /** The car is on its way from its box to the pit-out line. */
  readonly hasLeftBox: boolean
}

/** The receiver's error at both lines: 0.25 s each at 60 km/h with 3 m, with a reserve. */
export const doneMarginMs = 1000

/**
 * Returns the clock of the current pit stop; null if the car is not in the pits. Visits are in order of time. A visit whose
 * entry no position shows has no minimum from pit-in to pit-out.
 */
export function stopClock(
  visits: readonly Visit[],
  rule: StopRule | null,
  nowMs: number,
): StopClock | null {
  const visit = visits.at(-1)
  if (!visit || visit.endedAt !== null) return null
  const pitInAt = visit.startedAt
  const hasLeftBox = visit.leftAt !== null && visit.leftAt <= nowMs
  if (!rule || (rule.counts === 'lane' && isEntryUnseen(visit)))
    return {
      pitInAt,
      elapsedMs: sinceMs(pitInAt, nowMs),
      minimumMs: null,
      doneAt: null,
      isDone: false,
      wayOutMs: 0,
      hasLeftBox,
    }
  const { minimumMs, counts } = rule
  const { stoppedAt, leftAt } = visit
  const isLane = counts === 'lane'
  const fromMs = isLane ? pitInAt : stoppedAt
  const untilMs = isLane ? nowMs : (leftAt ?? nowMs)
  const endMs = fromMs === null ? null : fromMs + minimumMs + doneMarginMs
  const learnedMs = exitMs(visits, rule)
  // A car that left its box too early has until the line itself.
  const isEarly = endMs !== null && leftAt !== null && leftAt < endMs - learnedMs
  const wayOutMs = isLane && isEarly ? 0 : learnedMs
  const doneAt = endMs === null ? null : endMs - wayOutMs
  return {
    pitInAt,
    elapsedMs: fromMs === null ? 0 : sinceMs(fromMs, untilMs),
    minimumMs,
    doneAt,
    isDone: stoppedAt !== null && doneAt !== null && untilMs >= doneAt,
    wayOutMs,
    hasLeftBox,
  }
}

/** Ways to the box that differ by less end at the same box. */
const sameBoxMs = 3000

/**
 * Returns the time from the box to the pit-out line, which still counts after the driver leaves: the shortest of the
 * earlier visits whose way to the box is the most similar, so that the stop is never too short. A car that took longer to
 * its box than then may stand that much nearer to the line. 0 before the first visit.
 */
function exitMs(visits: readonly Visit[], { counts }: StopRule): number {
  if (counts === 'standing') return 0
  const inMs = wayInMs(visits.at(-1))
  const ways = visits.flatMap(visit => {
    const { leftAt, endedAt } = visit
    if (leftAt === null || endedAt === null || endedAt <= leftAt) return []
    const laterMs = inMs === null ? 0 : inMs - (wayInMs(visit) ?? inMs)
    return [{ laterMs, outMs: endedAt - leftAt - Math.max(0, laterMs) }]
  })
  const nearestMs = leastOf(ways.map(({ laterMs }) => Math.abs(laterMs)))
  const similar = ways.filter(({ laterMs }) => Math.abs(laterMs) <= nearestMs + sameBoxMs)
  return similar.length === 0 ? 0 : Math.max(0, leastOf(similar.map(({ outMs }) => outMs)))
}

/** Returns the time from the pit-in line to the stop in the box; null before the car has stopped. */
function wayInMs(visit: Visit | undefined): number | null {
  return visit && visit.stoppedAt !== null ? visit.stoppedAt - visit.startedAt : null
}

/**
 * Returns by how much a finished pit stop was too short; null if it was not, the car only drove through, or its time in the
 * lane is not known.
 */
export function earlyMs(visit: Visit, rule: StopRule | null): number | null {
  const { startedAt, endedAt, stoppedAt, leftAt } = visit
  if (!rule || endedAt === null || stoppedAt === null) return null
  if (rule.counts === 'lane' && isEntryUnseen(visit)) return null
  const countedMs = rule.counts === 'lane' ? endedAt - startedAt : (leftAt ?? endedAt) - stoppedAt
  return countedMs < rule.minimumMs ? rule.minimumMs - countedMs : null
}

function sinceMs(fromMs: number, nowMs: number): number {
  return Math.max(0, nowMs - fromMs)
}

/**
 * Returns the visits that a phone shows: the server's, which knows the whole drive, and then the visits that the phone
 * has found by itself since. Both are in order of time.
 */
export function mergedVisits<T extends Visit>(server: readonly T[], own: readonly T[]): T[] {
  const known = server.map(visit => {
    const same = own.find(each => overlap(visit, each))
    if (!same || visit.endedAt !== null) return visit
    const { stoppedAt, leftAt, endedAt } = same
    // The phone is ahead: its last fixes have not arrived.
    return {
      ...visit,
      startedAt: isEntryUnseen(visit) ? Math.min(visit.startedAt, same.startedAt) : visit.startedAt,
      endedAt,
      stoppedAt: visit.stoppedAt ?? stoppedAt,
      leftAt: leftAt ?? visit.leftAt,
    }
  })
  const added = own.filter(each => !known.some(visit => overlap(visit, each)))
  return [...known, ...added].sort((one, other) => one.startedAt - other.startedAt)
}

function overlap(one: Visit, other: Visit): boolean {
  const endOf = ({ endedAt }: Visit) => endedAt ?? Number.POSITIVE_INFINITY
  return one.startedAt < endOf(other) && other.startedAt < endOf(one)
}
