import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, StintId } from '#contract/ids.ts'
import { carStrategy } from '#racing/strategy/carStrategy.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { storedLaps } from '../../laps/storedLaps.ts'
import { storedVisits } from '../../laps/visits/storedVisits.ts'
import { savedRace } from '../../races/races.ts'
import { stintsOf } from '../../stints/storedStints.ts'

interface OverStint {
  sessionId: SessionId
  stintId: StintId
  /** When the longest time of a stint in its race was reached. */
  at: EpochMs
}

/** Stints of running races that have reached the longest time of a stint, by the clock that all screens show. */
export async function overStints(db: Kysely<Tables>, now: EpochMs): Promise<OverStint[]> {
  const over: OverStint[] = []
  for (const { race_id: raceId, ...session } of await longStints(db, now)) {
    const stints = await stintsOf(db, session)
    const entries = {
      car: null,
      fills: [],
      stints,
      pitVisits: await storedVisits(db, session.id),
      race: await savedRace(db, raceId),
    }
    // A yellow lap may prolong the stint.
    const laps = await storedLaps(db, session.id)
    const leftMs = carStrategy(entries, laps, now).stint?.leftMs
    const stintId = stints.at(-1)?.id
    if (stintId !== undefined && leftMs != null && leftMs <= 0)
      over.push({ sessionId: session.id, stintId, at: now + leftMs })
  }
  return over
}

/** Active sessions whose stint began long enough ago. Pauses and pit stops only make it shorter. */
async function longStints(db: Kysely<Tables>, now: EpochMs) {
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('races as r', 'r.id', 's.race_id')
    .select(['s.id', 's.race_id', 's.date_started', 's.date_ended'])
    .where('s.status', '=', 'Active')
    .where('r.started_at', 'is not', null)
    .where('r.ended_at', 'is', null)
    .where(
      sql<boolean>`greatest(r.started_at, s.date_started, (
          select max(from_at) from stints where session_id = s.id and removed_at is null
        )) + (r.rules->>'maxStintMs')::float8 * interval '1 millisecond'
        <= ${new Date(now)}::timestamptz`,
    )
    .execute()
  return rows.flatMap(({ race_id, ...row }) => (race_id === null ? [] : [{ ...row, race_id }]))
}
