import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import { productVersion } from '../productVersion.ts'
import { column } from '../telemetry/storeFixes.ts'
import type { ChangedResult } from './changedResult.ts'
import type { SessionTiming } from './sessionTiming.ts'

/**
 * Stores the changes of sessions in one statement, which is a transaction of its own. Skips sessions that were changed
 * since their result was read. Returns the ids of the stored ones.
 *
 * Locks the sessions in the order of their ids, because transactions that lock several sessions could otherwise
 * deadlock. The lock waits for the end of a session, a deletion of its positions, its messages and other laps. Fixes can
 * still be stored. The row of the result is written first: others write it too when they change laps. Its parts delete
 * or write a row, but not both.
 */
export async function replaceResults(
  db: Kysely<Tables>,
  results: readonly ChangedResult[],
): Promise<Set<SessionId>> {
  const { rows } = await sql<{ id: SessionId }>`${prepared}
    with result as (
      select * from unnest(
        ${column(results, each => each.timing.sessionId)}::uuid[],
        ${column(results, each => each.versions.session)}::text[],
        ${column(results, each => each.versions.result)}::text[],
        ${column(results, each => each.isPoor)}::boolean[],
        ${column(results, each => each.timing.positions)}::integer[],
        ${column(results, each => upToMs(each.timing))}::bigint[],
        ${column(results, each => each.timing.isFinished)}::boolean[],
        ${column(results, each => each.revision)}::bigint[],
        ${column(results, each => each.stopped)}::text[]
      ) as r (
        session_id, session_version, result_version, gps_poor, positions, up_to_ms, finished, revision, stopped
      )
    ), unchanged as (
      select s.id, r.*
      from result r join sessions s on s.id = r.session_id
      where s.xmin::text = r.session_version
      order by s.id
      for no key update of s
    ), stored as (
      insert into lap_timings as t (
        session_id, gps_poor, positions, computed_up_to, finished, revision, stopped, stopped_by
      )
      select session_id, gps_poor, positions, to_timestamp(up_to_ms::float8 / 1000), finished, revision,
        stopped, case when stopped is not null then ${productVersion} end
      from unchanged
      on conflict (session_id) do update set
        gps_poor = excluded.gps_poor, positions = excluded.positions,
        computed_up_to = excluded.computed_up_to, finished = excluded.finished,
        revision = excluded.revision, stopped = excluded.stopped, stopped_by = excluded.stopped_by
      where t.xmin::text = (
        select result_version from result r where r.session_id = excluded.session_id
      )
      returning session_id
    ), ${lapParts(results)}, ${visitParts(results)}, ${movesPart(results)}
    select session_id as id from stored`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

function upToMs({ positions, afterMs }: SessionTiming) {
  return positions === 0 ? null : afterMs
}

/** Returns the parts of the statement that delete and write laps. */
function lapParts(results: readonly ChangedResult[]): RawBuilder<unknown> {
  const laps = results.flatMap(({ timing: { sessionId }, changes }) =>
    changes.laps.map(change => ({ sessionId, ...change })),
  )
  const goneLaps = laps.filter(({ after }) => !after)
  const newLaps = laps.flatMap(({ sessionId, after }) => (after ? [{ sessionId, ...after }] : []))
  return sql`gone_laps as (
      delete from laps l
      using unnest(
        ${column(goneLaps, each => each.sessionId)}::uuid[],
        ${column(goneLaps, each => each.number)}::integer[]
      ) as gone (session_id, number)
      where l.session_id = gone.session_id and l.number = gone.number
        and l.session_id in (select session_id from stored)
    ), new_laps as (
      insert into laps (
        session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen, ends_at_line,
        yellow_message, yellow_flag, marked
      )
      select session_id, number, to_timestamp(started_ms::float8 / 1000), time_ms, plus_minus_ms, kind,
        is_seen, ends_at_line, yellow_message, yellow_flag, marked
      from unnest(
        ${column(newLaps, lap => lap.sessionId)}::uuid[],
        ${column(newLaps, lap => lap.number)}::integer[],
        ${column(newLaps, lap => lap.startedAt)}::bigint[],
        ${column(newLaps, lap => lap.timeMs)}::integer[],
        ${column(newLaps, lap => lap.plusMinusMs)}::integer[],
        ${column(newLaps, lap => lap.kind)}::text[],
        ${column(newLaps, lap => lap.isSeen)}::boolean[],
        ${column(newLaps, lap => lap.endsAtLine === true)}::boolean[],
        ${column(newLaps, lap => lap.yellowMessage)}::text[],
        ${column(newLaps, lap => lap.yellowFlag ?? null)}::text[],
        ${column(newLaps, lap => lap.marked)}::boolean[]
      ) as a (
        session_id, number, started_ms, time_ms, plus_minus_ms, kind, is_seen, ends_at_line,
        yellow_message, yellow_flag, marked
      )
      where session_id in (select session_id from stored)
      on conflict (session_id, number) do update set
        started_at = excluded.started_at, time_ms = excluded.time_ms,
        plus_minus_ms = excluded.plus_minus_ms, kind = excluded.kind, is_seen = excluded.is_seen,
        ends_at_line = excluded.ends_at_line,
        yellow_message = excluded.yellow_message, yellow_flag = excluded.yellow_flag,
        marked = excluded.marked
    )`
}

function visitParts(results: readonly ChangedResult[]): RawBuilder<unknown> {
  const visits = results.flatMap(({ timing: { sessionId }, changes }) =>
    changes.visits.map(change => ({ sessionId, ...change })),
  )
  const goneVisits = visits.flatMap(({ sessionId, before, after }) =>
    before && !after ? [{ sessionId, startedAt: before.startedAt }] : [],
  )
  const newVisits = visits.flatMap(({ sessionId, after }) =>
    after ? [{ sessionId, ...after }] : [],
  )
  return sql`gone_visits as (
      delete from pit_visits v
      using unnest(
        ${column(goneVisits, each => each.sessionId)}::uuid[],
        ${column(goneVisits, each => each.startedAt)}::bigint[]
      ) as gone (session_id, started_ms)
      where v.session_id = gone.session_id
        and v.started_at = to_timestamp(gone.started_ms::float8 / 1000)
        and v.session_id in (select session_id from stored)
    ), new_visits as (
      insert into pit_visits (session_id, started_at, ended_at, stopped_at, left_at)
      select session_id, to_timestamp(started_ms::float8 / 1000), to_timestamp(ended_ms::float8 / 1000),
        to_timestamp(stopped_ms::float8 / 1000), to_timestamp(left_ms::float8 / 1000)
      from unnest(
        ${column(newVisits, each => each.sessionId)}::uuid[],
        ${column(newVisits, each => each.startedAt)}::bigint[],
        ${column(newVisits, each => each.endedAt)}::bigint[],
        ${column(newVisits, each => each.stoppedAt)}::bigint[],
        ${column(newVisits, each => each.leftAt)}::bigint[]
      ) as a (session_id, started_ms, ended_ms, stopped_ms, left_ms)
      where session_id in (select session_id from stored)
      on conflict (session_id, started_at) do update set
        ended_at = excluded.ended_at, stopped_at = excluded.stopped_at, left_at = excluded.left_at
    )`
}

function movesPart(results: readonly ChangedResult[]): RawBuilder<unknown> {
  const moves = results.flatMap(({ timing, moves: changed }) =>
    changed
      ? [
          {
            session_id: timing.sessionId,
            moving_since_ms: changed.movingSince,
            last_fix_ms: upToMs(timing),
            ...changed,
          },
        ]
      : [],
  )
  return sql`new_moves as (
      insert into session_moves (session_id, drives, departures, silences, moving_since, last_fix_at)
      select session_id, drives, departures, silences, to_timestamp(moving_since_ms::float8 / 1000),
        to_timestamp(last_fix_ms::float8 / 1000)
      from json_to_recordset(${JSON.stringify(moves)}::json)
        as m (session_id uuid, drives jsonb, departures jsonb, silences jsonb, moving_since_ms bigint,
          last_fix_ms bigint)
      where session_id in (select session_id from stored)
      on conflict (session_id) do update set
        drives = excluded.drives, departures = excluded.departures, silences = excluded.silences,
        moving_since = excluded.moving_since, last_fix_at = excluded.last_fix_at
    )`
}
