import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import { stoppedSessions } from './computeLaps.ts'
import { hasNewResult, type Timed } from './timed.ts'
import { timeKept } from './untimedPositions.ts'

/** The due sessions that need more than timing their received fixes. */
interface DueSessions {
  /** Sessions to read: their circuit is unknown or refined, they have stopped, or have positions not received here. */
  toRead: SessionId[]
  /** Their received fixes gave a new result, which is stored without reading the session again. */
  withNewLaps: Timed[]
}

/**
 * Times the received fixes of the due sessions that are on a known circuit. A session whose circuit or positions were
 * changed by another node is noticed when its next result is stored, which checks both.
 */
export async function timeReceived(
  db: Kysely<Tables>,
  timed: ReadonlyMap<SessionId, Timed>,
  { due, now }: { due: readonly SessionId[]; now: number },
): Promise<DueSessions> {
  const known = due.flatMap(id => {
    const each = timed.get(id)
    return each?.timing.pinned && !each.isBehind ? [each] : []
  })
  if (known.length === 0) return { toRead: [...due], withNewLaps: [] }
  // Times the fixes while the query runs, including those of stopped sessions, which were driven before the stop.
  const [stopped, rest] = await Promise.all([
    stoppedSessions(db, known.map(idOf)),
    timeKept(known, each => each.timing.refined !== null || hasNewResult(each)),
  ])
  for (const each of known) each.usedAtMs = now
  const isStopped = new Set(stopped)
  const withNewLaps = rest.filter(
    each => each.untimed.isComplete && !each.timing.refined && !isStopped.has(idOf(each)),
  )
  const isStored = new Set(withNewLaps)
  const isRead = new Set([...rest.filter(each => !isStored.has(each)).map(idOf), ...stopped])
  const isKnown = new Set(known.map(idOf))
  return { toRead: due.filter(id => isRead.has(id) || !isKnown.has(id)), withNewLaps }
}

function idOf({ timing }: Timed): SessionId {
  return timing.sessionId
}
