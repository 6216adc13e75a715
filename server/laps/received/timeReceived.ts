import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { stoppedSessions } from '../computeLaps.ts'
import { hasNewResult, type Timed } from './timed.ts'
import { timeKept } from './untimedPositions.ts'

/**
 * Times the received fixes of the due sessions that are on a known circuit. Returns the sessions to read from the
 * database: without a known circuit, ended, or with a new result. A session whose circuit or positions were
 * changed by another node is noticed when its next result is stored, which checks both.
 */
export async function timeReceived(
  db: Kysely<Tables>,
  timed: ReadonlyMap<SessionId, Timed>,
  { due, now }: { due: readonly SessionId[]; now: number },
): Promise<SessionId[]> {
  const known = due.flatMap(id => {
    const each = timed.get(id)
    return each?.timing.pinned && !each.isBehind ? [each] : []
  })
  if (known.length === 0) return [...due]
  // Times the fixes while the query runs, including those of stopped sessions, which were driven before the stop.
  const [stopped, rest] = await Promise.all([
    stoppedSessions(db, known.map(idOf)),
    timeKept(known, each => each.timing.refined !== null || hasNewResult(each)),
  ])
  for (const each of known) each.usedAtMs = now
  const changed = new Set([...rest.map(idOf), ...stopped])
  const unchanged = new Set(known.map(idOf).filter(id => !changed.has(id)))
  return due.filter(id => !unchanged.has(id))
}

function idOf({ timing }: Timed): SessionId {
  return timing.sessionId
}
