import type { SessionId } from '#contract/ids.ts'
import type { Live } from '../../live/live.ts'
import type { TeamEvents } from '../../teams/events/teamEvents.ts'
import type { LapChanges } from '../results/changedResult.ts'
import type { TimedSession } from '../sessionTiming.ts'
import { recordPitIns } from '../visits/recordPitIns.ts'

/** Receivers of changed laps. */
export interface LapListeners {
  live: Pick<Live, 'publish'>
  /** Called after the laps of a session were stored and differ. */
  onChanged: (sessionId: SessionId) => void
  events: Pick<TeamEvents, 'record'> | undefined
}

/** Publishes the stored changes of a session's laps and visits to the pits. */
export function publishLaps(
  { live, onChanged, events }: LapListeners,
  { id, status, team_id: team }: Pick<TimedSession, 'id' | 'status' | 'team_id'>,
  changes: LapChanges,
) {
  recordPitIns(events, id, changes.visits)
  const room = `session:${id}` as const
  // Open screens stop showing the laps of an ended session as pending, even if there are none.
  if (changes.laps.length > 0 || status === 'Complete')
    live.publish(room, { t: 'laps-changed', session: id })
  if (changes.laps.length > 0) onChanged(id)
  if (changes.visits.length > 0) live.publish(room, { t: 'race-changed', team, session: id })
}
