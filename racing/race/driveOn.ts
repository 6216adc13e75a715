import { sameStopMs } from './sameChange.ts'
import { firstPositionMs } from './stintClock.ts'
import type { Visit } from './stopClock.ts'

/** A session of a car, with what shows whether the car stopped. */
export interface CarSession {
  readonly from: number
  /** When it was last known to be driven: a phone may have failed before its session ended. Null while it is driven. */
  readonly to: number | null
  /** In order of time. */
  readonly visits: readonly Pick<Visit, 'startedAt' | 'endedAt'>[]
  /** Times of its fuel entries, without the fuel at the start. */
  readonly fillsAt: readonly number[]
}

/** After a longer time without a session nobody knows what the car did. */
const longestGapMs = 30 * 60_000

/** Returns whether a car's next session began soon after one that did not end in the pits. */
export function followsOnTrack(before: CarSession, next: Pick<CarSession, 'from'>): boolean {
  const { to } = before
  if (to === null || next.from - to > longestGapMs) return false
  return !before.visits.some(({ endedAt }) => endedAt === null || endedAt >= to)
}

/**
 * Returns whether a car drove on from one session to its next one without a stop: no visit to the pits and no fill is
 * known in between.
 */
export function droveOn(before: CarSession, next: CarSession): boolean {
  const { to } = before
  if (to === null || !followsOnTrack(before, next)) return false
  const beganInPits = next.visits.some(({ startedAt }) => startedAt <= next.from + firstPositionMs)
  return !(beganInPits || [before, next].some(each => hasFill(each, to, next.from)))
}

/** Returns whether fuel was added around the time between two sessions, in a stop that is not known as a visit. */
function hasFill({ visits, fillsAt }: CarSession, fromMs: number, toMs: number): boolean {
  return fillsAt.some(
    at =>
      at > fromMs - sameStopMs &&
      at < toMs + sameStopMs &&
      !visits.some(({ startedAt, endedAt }) => startedAt <= at && at <= (endedAt ?? at)),
  )
}
