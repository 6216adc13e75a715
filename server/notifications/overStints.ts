import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, StintId } from '#contract/ids.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { driverQuestion } from '#racing/race/driverQuestion.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { drivenSessions, storedCarRace } from '../races/storedCarRace.ts'
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
 * One is reported once, for the phone in the car. A car whose stint cannot be laid out does not hold up the others: throws
 * at the end.
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
  const stored = await storedCarRace(db, session, now)
  const carRace = carRaceOf(stored)
  // Laying out the plan takes long.
  const leftMs = carStrategy({ ...carRace, plan: null }, now).stint?.leftMs
  const stint = stored.stints.at(-1)
  if (!stint || leftMs == null) return undefined
  if (leftMs > 0) {
    restUntil.set(session.id, now + Math.min(leftMs, longestRestMs))
    return undefined
  }
  // Another driver may drive since the last stop.
  if (driverQuestion(carRace) !== null) return undefined
  if (await wasRecorded(db, session, stint.id)) return undefined
  return { sessionId: session.id, stintId: stint.id, at: now + leftMs }
}

/** Returns the number of the event that a stint is over: a stint whose start is corrected is still the same event. */
export function occurrenceOf(stintId: StintId): number {
  return Number.parseInt(stintId.replaceAll('-', '').slice(0, 12), 16)
}

/** Returns whether the end of the stint was recorded while another phone was in the car. */
async function wasRecorded(
  db: Kysely<Tables>,
  { id, race_id, car_id }: LongStint,
  stintId: StintId,
): Promise<boolean> {
  const recorded = await db
    .selectFrom('team_events')
    .innerJoin('sessions', 'sessions.id', 'team_events.session_id')
    .select('team_events.id')
    .where('team_events.kind', '=', 'stint-over')
    .where('team_events.occurrence', '=', occurrenceOf(stintId))
    .where('sessions.id', '!=', id)
    .where('sessions.race_id', '=', race_id)
    .where('sessions.car_id', '=', car_id)
    .limit(1)
    .executeTakeFirst()
  return recorded !== undefined
}

type LongStint = Awaited<ReturnType<typeof longStints>>[number]

/**
 * A page of the sessions whose phone is in a car, without those that rest, whose stint may have begun long enough ago, if
 * its driver drove on since the car's first session of the race. Driver changes, pauses and stops only make it shorter.
 */
function longStints(db: Kysely<Tables>, now: EpochMs, restUntil: ReadonlyMap<SessionId, EpochMs>) {
  return (
    drivenSessions(db)
      .where('sessions.status', '=', 'Active')
      .where(({ not }) => not(isOneOf('sessions.id', [...restUntil.keys()])))
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          // It is a car of its own.
          eb('sessions.car_id', 'is', null),
          exists(
            selectFrom('car_runs as run')
              .select('run.from_at')
              .whereRef('run.race_id', '=', 'sessions.race_id')
              .whereRef('run.car_id', '=', 'sessions.car_id')
              .whereRef('run.session_id', '=', 'sessions.id')
              .where('run.until_at', 'is', null),
          ),
        ]),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('races as r')
            .select('r.id')
            .whereRef('r.id', '=', 'sessions.race_id')
            .where('r.started_at', 'is not', null)
            .where('r.ended_at', 'is', null)
            .where(
              sql<boolean>`greatest(r.started_at, (
                select min(s.date_started) from sessions s
                where s.race_id = r.id and (s.id = sessions.id or s.car_id = sessions.car_id)
              )) + (r.rules->>'maxStintMs')::float8 * interval '1 millisecond'
                <= ${new Date(now)}::timestamptz`,
            ),
        ),
      )
      // First one of each team, then a second one of each.
      .orderBy(sql`row_number() over (partition by sessions.team_id)`)
      .limit(Math.min(sessionsPerPage, mostResting - restUntil.size))
      .execute()
  )
}
