import { maxRowsOfStatement } from '#contract/shared/storedBounds.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'

/** Sessions whose laps are stored by one statement: a message to the driver may have to wait for it. */
const mostStoredAtOnce = 100
/** Laps of these sessions together, unless one has more: all of them are read to be compared. */
const mostComparedLaps = maxRowsOfStatement

/** A timing whose laps must be stored. */
export interface DueResult {
  session: TimedSession
  timing: SessionTiming
}

/** Groups sessions whose laps are stored by one statement. */
export function storedTogether(due: readonly DueResult[]): DueResult[][] {
  const groups: DueResult[][] = []
  let laps = Number.POSITIVE_INFINITY
  for (const each of due) {
    const group = groups.at(-1)
    laps += each.timing.laps.length
    if (group && group.length < mostStoredAtOnce && laps <= mostComparedLaps) group.push(each)
    else {
      groups.push([each])
      laps = each.timing.laps.length
    }
  }
  return groups
}

/** Splits a list into groups of at most this size. */
export function groupsOf<Each>(all: readonly Each[], size: number): Each[][] {
  const groups: Each[][] = []
  for (let done = 0; done < all.length; done += size) groups.push(all.slice(done, done + size))
  return groups
}
