import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, StintId } from '#contract/ids.ts'
import { stintsOfCar } from '#racing/race/carPlan.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedLaps } from '../laps/storedLaps.ts'
import { isDriven, type RaceSession } from '../races/countedSessions.ts'
import { raceOfSession, raceSessions } from '../races/raceOfSession.ts'
import { tryEach } from '../tryEach.ts'

export interface OverStint {
  sessionId: SessionId
  stintId: StintId
  /** When the longest time of a stint in its race was reached. */
  at: EpochMs
}

/** A stint is looked at again after this time at the latest, because an entry may have changed when it ends. */
const longestRestMs = 30_000

/** Sessions whose stints are read at once. */
const sessionsPerPage = 500

/** Sessions that rest at once, whose ids are a parameter of a query: as many as 30 s of pages, one every 5 s. */
const mostResting = 3000

/**
 * Reports the stints of running races that have reached the longest time of a stint, by the clock that all screens show.
 * One that goes on in the car's next session is left out if its end was recorded in an earlier one. A car whose stint
 * cannot be laid out does not hold up the others: throws at the end.
 *
 * `restUntil` keeps when each session has to be looked at again. Pass the same map to the next call: laying out a stint
 * reads all laps of the car.
 */
export async function watchStints(
  db: Kysely<Tables>,
  { now, restUntil }: { now: EpochMs; restUntil: Map<SessionId, EpochMs> },
  onOver: (stint: OverStint) => void,
): Promise<void> {
  for (const [id, until] of restUntil) if (until <= now) restUntil.delete(id)
  await tryEach(await longStints(db, now, restUntil), async session => {
    const over = await overStint(db, session, { now, restUntil })
    if (over) onOver(over)
  })
}

async function overStint(
  db: Kysely<Tables>,
  session: LongStint,
  { now, restUntil }: { now: EpochMs; restUntil: Map<SessionId, EpochMs> },
): Promise<OverStint | undefined> {
  restUntil.set(session.id, now + longestRestMs)
  // The phone may have failed, while the car drives on with another one.
  if (!(await isDriven(db, session))) return undefined
  const entries = await raceOfSession(db, session, now)
  // A yellow lap may prolong the stint.
  const laps = await storedLaps(db, session.id)
  // Laying out the plan takes long.
  const leftMs = carStrategy({ ...entries, plan: null }, laps, now).stint?.leftMs
  const stint = entries.stints.at(-1)
  if (!stint || leftMs == null) return undefined
  if (leftMs > 0) {
    restUntil.set(session.id, now + Math.min(leftMs, longestRestMs))
    return undefined
  }
  const beganAt = stintsOfCar(entries, laps, now).findLast(({ isOwn }) => isOwn)?.from
  if (stint.continues && beganAt !== undefined && (await wasRecorded(db, session, beganAt)))
    return undefined
  return { sessionId: session.id, stintId: stint.id, at: now + leftMs }
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

type LongStint = Awaited<ReturnType<typeof longStints>>[number]

/**
 * A page of the active sessions, without those that rest, whose stint may have begun long enough ago, if its driver drove
 * on since the car's first session of the race. Pauses and stops only make it shorter.
 */
function longStints(db: Kysely<Tables>, now: EpochMs, restUntil: ReadonlyMap<SessionId, EpochMs>) {
  return (
    raceSessions(db)
      .innerJoin('races as r', 'r.id', 'sessions.race_id')
      .where('sessions.status', '=', 'Active')
      .where('r.started_at', 'is not', null)
      .where('r.ended_at', 'is', null)
      .where(({ not }) => not(isOneOf('sessions.id', [...restUntil.keys()])))
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
      // First one of each team, then a second one of each.
      .orderBy(sql`row_number() over (partition by sessions.team_id)`)
      .limit(Math.min(sessionsPerPage, mostResting - restUntil.size))
      .execute()
  )
}
