import { type Kysely, sql } from 'kysely'
import type { EpochMs, RaceId, SessionId } from '#contract/ids.ts'
import { type Lap, type LapsChange, maxChangedLaps } from '#contract/laps.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { yellowOf } from '#racing/timing/yellow.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { column } from '../telemetry/storeFixes.ts'
import { storedLaps } from './storedLaps.ts'
import { yellowPeriodsOf } from './yellow.ts'

/** Changed laps of a session. Without `change` there are too many to publish them. */
export interface ChangedYellow {
  session: SessionId
  change?: LapsChange
}

/**
 * Recomputes which laps of a race that end after a time are yellow, in the transaction that changed its official flags.
 * Writes the sessions of the race, so that a concurrent transaction cannot store laps by the old flags. Publish the result
 * after the commit.
 */
export async function refreshYellow(
  trx: Kysely<Tables>,
  raceId: RaceId,
  sinceMs: EpochMs,
): Promise<ChangedYellow[]> {
  // In the order in which laps are stored: see `replaceResults`.
  const { rows: sessions } = await sql<{ id: SessionId }>`
    with newest as (
      select id from sessions where race_id = ${raceId}::uuid
      order by date_started desc limit ${sql.lit(storedBounds.sessionsOfRace.max)}
    ), locked as (
      select id from sessions where id in (select id from newest) order by id for no key update
    )
    update sessions s set race_id = s.race_id from locked where s.id = locked.id
    returning s.id`.execute(trx)
  // A statement of its own, which sees laps that were stored before the lock.
  const { rows } = await sql<{ id: SessionId }>`
    select i.id from unnest(${column(sessions, ({ id }) => id)}::uuid[]) as i (id)
    where exists (
      select from laps l where l.session_id = i.id
        and l.started_at + l.time_ms * interval '1 ms' > ${new Date(sinceMs)}::timestamptz
    )
    order by i.id`.execute(trx)
  const changed: ChangedYellow[] = []
  for (const { id } of rows) {
    const periods = await yellowPeriodsOf(trx, id)
    const laps = (await storedLaps(trx, id)).flatMap(lap => {
      const yellow = yellowOf(lap, periods)
      const isSame =
        yellow.yellowFlag === lap.yellowFlag && yellow.yellowMessage === lap.yellowMessage
      return isSame || lap.startedAt + lap.timeMs <= sinceMs ? [] : [{ ...lap, ...yellow }]
    })
    if (laps.length > 0) changed.push(await storeYellow(trx, id, laps))
  }
  return changed
}

/** Stores whether laps of a session are yellow, as its next revision, in a transaction that has locked them. */
export async function storeYellow(
  trx: Kysely<Tables>,
  session: SessionId,
  laps: readonly Lap[],
): Promise<ChangedYellow> {
  await sql`
    update laps l
    set yellow_message = y.yellow_message, yellow_flag = y.yellow_flag, marked = y.marked
    from unnest(
      ${column(laps, lap => lap.number)}::integer[],
      ${column(laps, lap => lap.yellowMessage)}::text[],
      ${column(laps, lap => lap.yellowFlag ?? null)}::text[],
      ${column(laps, lap => lap.marked)}::boolean[]
    ) as y (number, yellow_message, yellow_flag, marked)
    where l.session_id = ${session}::uuid and l.number = y.number`.execute(trx)
  const { gps_poor: gpsPoor, revision } = await trx
    .updateTable('lap_timings')
    .set({ revision: sql`revision + 1` })
    .where('session_id', '=', session)
    .returning(['gps_poor', sql<number>`revision::float8`.as('revision')])
    .executeTakeFirstOrThrow()
  if (laps.length > maxChangedLaps) return { session }
  return { session, change: { revision, gpsPoor, laps: [...laps], removed: [] } }
}

export function publishYellow(
  { live }: Pick<AppContext, 'live'>,
  changed: readonly ChangedYellow[],
) {
  for (const each of changed)
    live.publish(`session:${each.session}`, { t: 'laps-changed', ...each })
}
