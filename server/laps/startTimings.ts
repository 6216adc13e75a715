import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Position } from '#contract/shared/geo.ts'
import { circuitsNear, firstPlacesAfter, pinnedVersions } from '../circuits/settleCircuit.ts'
import type { Tables } from '../db/schema/tables.ts'
import { firstPossibleMs } from '../telemetry/positions.ts'
import { SessionTiming, type TimedSession } from './sessionTiming.ts'

/** Starts timing sessions, each by the circuit version that it names, or on a circuit still to be found. */
export async function startTimings(
  db: Kysely<Tables>,
  sessions: readonly TimedSession[],
): Promise<Map<SessionId, SessionTiming>> {
  const timings = new Map<SessionId, SessionTiming>()
  const versions = await pinnedVersions(db, sessions)
  for (const session of sessions) {
    const pinned = versions.get(session.id)
    if (pinned) timings.set(session.id, new SessionTiming(session, { pinned }))
  }
  const searching = sessions.filter(({ id }) => !timings.has(id))
  const circuits = await circuitsNear(db, await firstPlaces(db, searching))
  for (const session of searching)
    timings.set(
      session.id,
      new SessionTiming(session, { circuits: circuits.get(session.id) ?? [] }),
    )
  return timings
}

/** Starts to time one session. */
export async function startTiming(
  db: Kysely<Tables>,
  session: TimedSession,
): Promise<SessionTiming> {
  const timing = (await startTimings(db, [session])).get(session.id)
  if (!timing) throw new Error('The session was not timed.')
  return timing
}

/** Adds to each session its first place, if it has one. */
async function firstPlaces(
  db: Kysely<Tables>,
  sessions: readonly TimedSession[],
): Promise<{ session: TimedSession; place: Position }[]> {
  const places = await firstPlacesAfter(
    db,
    sessions.map(session => ({ sessionId: session.id, afterMs: firstPossibleMs(session) })),
  )
  return sessions.flatMap(session => {
    const place = places.get(session.id)
    return place ? [{ session, place }] : []
  })
}
