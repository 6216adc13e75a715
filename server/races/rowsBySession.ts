import type { SessionId } from '#contract/ids.ts'
import { maxRowsOfStatement } from '#contract/shared/storedBounds.ts'

/** Stints, visits or fills of a race that are read together: far more than a race has. Older ones do not count. */
export const maxRows = maxRowsOfStatement

/** Groups rows by session. They are read from the newest on, and returned in order of time. */
export function rowsBySession<Row extends { session_id: SessionId }>(
  newestFirst: readonly Row[],
): ReadonlyMap<SessionId, readonly Row[]> {
  const groups = new Map<SessionId, Row[]>()
  for (const row of newestFirst.toReversed()) {
    const group = groups.get(row.session_id)
    if (group) group.push(row)
    else groups.set(row.session_id, [row])
  }
  return groups
}
