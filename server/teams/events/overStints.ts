import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, StintId } from '#contract/ids.ts'
import { carStrategy } from '#racing/strategy/carStrategy.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { storedLaps } from '../../laps/storedLaps.ts'
import { raceOfSession, raceSessions } from '../../stints/raceOfSession.ts'

interface OverStint {
  sessionId: SessionId
  stintId: StintId
  /** When the longest time of a stint in its race was reached. */
  at: EpochMs
}

/** Stints of running races that have reached the longest time of a stint, by the clock that all screens show. */
export async function overStints(db: Kysely<Tables>, now: EpochMs): Promise<OverStint[]> {
  const over: OverStint[] = []
  for (const session of await longStints(db, now)) {
    const entries = await raceOfSession(db, session, now)
    // A yellow lap may prolong the stint.
    const laps = await storedLaps(db, session.id)
    // Laying out the plan takes long.
    const leftMs = carStrategy({ ...entries, plan: null }, laps, now).stint?.leftMs
    const stintId = entries.stints.at(-1)?.id
    if (stintId !== undefined && leftMs != null && leftMs <= 0)
      over.push({ sessionId: session.id, stintId, at: now + leftMs })
  }
  return over
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
