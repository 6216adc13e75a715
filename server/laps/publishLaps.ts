import type { SessionId } from '#contract/ids.ts'
import { type LapsChange, maxChangedLaps } from '#contract/laps.ts'
import type { EventRecorder } from '../context.ts'
import type { Live } from '../live/publish/live.ts'
import type { ChangedResult, LapChange } from './changedResult.ts'
import type { TimedSession } from './sessionTiming.ts'
import type { VisitChange } from './storedVisits.ts'

/** Receivers of changed laps. */
export interface LapListeners {
  live: Pick<Live, 'publish'>
  /** Called after the laps of a session were stored and differ. */
  onChanged: (sessionId: SessionId) => void
  /** Called after a visit to the pits was stored with its end. */
  onPitExit: (sessionId: SessionId) => void
  /**
   * Called after how the phone of a session moved was stored and differs, or was deleted; when a node begins to time a
   * session, because another one may have stopped before it called; and while the car of the session has another phone,
   * about every 10 s of driven time, because it shows how long that one has been silent.
   */
  onMoved: (sessionId: SessionId) => void
  /** Called after laps or visits of a session were stored and differ, also by an upload after its end. */
  onCarChanged: (sessionId: SessionId) => void
  events: EventRecorder | undefined
}

/** Publishes the stored changes of a session's laps and visits to the pits. */
export function publishLaps(
  { live, onChanged, onPitExit, onMoved, onCarChanged, events }: LapListeners,
  { id, status, team_id: team }: Pick<TimedSession, 'id' | 'status' | 'team_id'>,
  {
    changes,
    moves,
    isPoor,
    revision,
    stopChanged,
  }: Pick<ChangedResult, 'changes' | 'moves' | 'isPoor' | 'revision' | 'stopChanged'>,
) {
  recordPitIns(events, id, changes.visits)
  const room = `session:${id}` as const
  // Open screens stop showing the laps of an ended session as pending, even if there are none.
  if (status === 'Complete' || stopChanged) live.publish(room, { t: 'laps-changed', session: id })
  else if (changes.laps.length > 0) {
    const content = contentOf(changes.laps)
    live.publish(room, {
      t: 'laps-changed',
      session: id,
      ...(content && { change: { revision, gpsPoor: isPoor, ...content } }),
    })
  }
  if (changes.laps.length > 0) onChanged(id)
  if (changes.visits.some(({ after }) => after?.endedAt)) onPitExit(id)
  if (moves) onMoved(id)
  if (changes.laps.length + changes.visits.length > 0) onCarChanged(id)
  if (changes.visits.length > 0) live.publish(room, { t: 'race-changed', team, session: id })
}

/** Returns the changed laps as they are published; null if there are too many. */
function contentOf(changes: readonly LapChange[]): Pick<LapsChange, 'laps' | 'removed'> | null {
  if (changes.length > maxChangedLaps) return null
  return {
    laps: changes.flatMap(({ after }) => after ?? []),
    removed: changes.flatMap(({ number, after }) => (after ? [] : [number])),
  }
}

/**
 * Records new visits to the pits. Skips visits that were recorded before and now have a corrected start, and visits
 * found in late positions, because they have already ended.
 */
function recordPitIns(
  events: EventRecorder | undefined,
  sessionId: SessionId,
  visits: readonly VisitChange[],
) {
  if (visits.some(({ before }) => before?.endedAt === null)) return
  for (const { before, after } of visits)
    if (!before && after?.endedAt === null)
      events?.record({
        sessionId,
        kind: 'pit-in',
        occurrence: after.startedAt,
        at: after.startedAt,
      })
}
