import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, StintId } from '#contract/ids.ts'
import { stintsOfCar } from '#racing/plan/carPlan.ts'
import { carStrategy } from '#racing/strategy/carStrategy.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { storedLaps } from '../../laps/storedLaps.ts'
import { isDriven, type RaceSession } from '../../stints/otherSessions/countedSessions.ts'
import { raceOfSession, raceSessions } from '../../stints/raceOfSession.ts'

export interface OverStint {
  sessionId: SessionId
  stintId: StintId
  /** When the longest time of a stint in its race was reached. */
  at: EpochMs
}

/** A stint is looked at again after this time at the latest, because an entry may have changed when it ends. */
const longestRestMs = 30_000

/**
 * Stints of running races that have reached the longest time of a stint, by the clock that all screens show. One that
 * goes on in the car's next session is left out if its end was recorded in an earlier one.
 *
 * `restUntil` keeps when each session has to be looked at again. Pass the same map to the next call: laying out a stint
 * reads all laps of the car.
 */
export async function overStints(
  db: Kysely<Tables>,
  now: EpochMs,
  restUntil: Map<SessionId, EpochMs> = new Map(),
): Promise<OverStint[]> {
  const over: OverStint[] = []
  for (const [id, until] of restUntil) if (until <= now) restUntil.delete(id)
  for (const session of await longStints(db, now)) {
    if (restUntil.has(session.id)) continue
    restUntil.set(session.id, now + longestRestMs)
    // The phone may have failed, while the car drives on with another one.
    if (!(await isDriven(db, session))) continue
    const entries = await raceOfSession(db, session, now)
    // A yellow lap may prolong the stint.
    const laps = await storedLaps(db, session.id)
    // Laying out the plan takes long.
    const leftMs = carStrategy({ ...entries, plan: null }, laps, now).stint?.leftMs
    const stint = entries.stints.at(-1)
    if (!stint || leftMs == null) continue
    if (leftMs > 0) {
      restUntil.set(session.id, now + Math.min(leftMs, longestRestMs))
      continue
    }
    const beganAt = stintsOfCar(entries, laps, now).findLast(({ isOwn }) => isOwn)?.from
    if (stint.continues && beganAt !== undefined && (await wasRecorded(db, session, beganAt)))
      continue
    over.push({ sessionId: session.id, stintId: stint.id, at: now + leftMs })
  }
  return over
}

/** Returns whether another session of the car recorded the event `stint-over` after a time. */
async function wasRecorded(
  db: Kysely<Tables>,
  { id, race_id, car_id }: Pick<RaceSession, 'id' | 'race_id' | 'car_id'>,
  afterMs: EpochMs,
): Promise<boolean> {
  const recorded = await db
    .selectFrom('team_events')
    .innerJoin('sessions', 'sessions.id', 'team_events.session_id')
    .select('team_events.id')
    .where('team_events.kind', '=', 'stint-over')
    .where('team_events.at', '>', new Date(afterMs))
    .where('sessions.id', '!=', id)
    .where('sessions.race_id', '=', race_id)
    .where('sessions.car_id', 'is not distinct from', car_id)
    .limit(1)
    .executeTakeFirst()
  return recorded !== undefined
}

/**
 * Active sessions whose stint may have begun long enough ago, if its driver drove on since the car's first session of
 * the race. Pauses and stops only make it shorter.
 */
function longStints(db: Kysely<Tables>, now: EpochMs) {
  return raceSessions(db)
    .innerJoin('races as r', 'r.id', 'sessions.race_id')
    .where('sessions.status', '=', 'Active')
    .where('r.started_at', 'is not', null)
    .where('r.ended_at', 'is', null)
    .where(
      sql<boolean>`greatest(
        r.started_at,
        (
          select min(first.date_started) from sessions first
          where first.race_id = sessions.race_id
            and first.car_id is not distinct from sessions.car_id
        ),
        (
          select max(from_at) from stints
          where session_id = sessions.id and id <> sessions.id and removed_at is null
        )
      ) + (r.rules->>'maxStintMs')::float8 * interval '1 millisecond'
        <= ${new Date(now)}::timestamptz`,
    )
    .execute()
}
