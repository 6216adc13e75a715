import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { nearTrackM, type Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { circuitsNear, firstPlacesAfter, pinnedVersions } from '../circuits/settleCircuit.ts'
import type { Tables } from '../db/schema/tables.ts'
import { firstPossibleMs } from '../telemetry/positions.ts'
import { SessionTiming, type TimedSession } from './sessionTiming.ts'

/**
 * Starts timing sessions, each by the circuit version that it names, or else that of its race if its drive begins near it,
 * or on a circuit still to be found. A drive of less than half a lap has no circuit but that of its race.
 */
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
  const started = await firstPlaces(db, searching)
  const near = await circuitsNear(db, started)
  const places = new Map(started.map(({ session, place }) => [session.id, place]))
  for (const session of searching) {
    const circuits = near.get(session.id) ?? []
    const place = places.get(session.id)
    // Without a place it is decided with the first one.
    const race_circuit_id = place ? session.race_circuit_id : null
    const ofRace = circuits.find(
      ({ id, outline }) =>
        id === race_circuit_id &&
        place &&
        nearestOnTrack(trackOf(outline), place).offM <= nearTrackM,
    )
    timings.set(
      session.id,
      new SessionTiming({ ...session, race_circuit_id }, { ofRace: ofRace ?? null, circuits }),
    )
  }
  return timings
}

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
