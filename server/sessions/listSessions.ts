import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import type { ListedSession } from '#contract/sessions.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import { isCompared } from '../circuits/comparedLaps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type CarAndDriverRow, carAndDriver } from './sessions.ts'

const sessionsPerPage = pages.sessions

interface Filter {
  teamId: TeamId
  /** Only sessions after this one in the list. */
  after?: SessionId | undefined
  /**
   * Words that each occur in the session's name, the name or e-mail address of the person who started it, the names of
   * its drivers, the number of its car, or its circuit's name.
   */
  search?: string | undefined
  /** Only sessions that started at this time or later. */
  from?: EpochMs | undefined
  /** Only sessions that started before this time. */
  before?: EpochMs | undefined
  /** Only other sessions on the circuit of this one. */
  sameCircuitAs?: SessionId | undefined
}

interface Row extends CarAndDriverRow {
  id: SessionId
  name: string
  user_id: string
  first_name: string | null
  last_name: string | null
  email: string | null
  started_ms: number
  ended_ms: number | null
  circuit: string | null
  laps: number
  best_ms: number | null
  imported: boolean
}

/** Lists a page of a team's sessions without practice cars, active and ended, the newest start first. */
export async function listSessions(
  db: Kysely<Tables>,
  filter: Filter,
): Promise<{ sessions: ListedSession[]; next: SessionId | null }> {
  const found = await pageOf(db, filter)
  const page = found.slice(0, sessionsPerPage)
  // In a statement of its own: each statement is short enough for a message to wait for it.
  const { rows } = await sql<Row>`
    select
      s.id, s.name, s.user_id, u.first_name, u.last_name, u.email, c.name as circuit,
      s.car_id, car.number as car_number,
      d.id as current_driver_id, d.name as current_driver_name, d.user_id as current_driver_user_id,
      s.recorded_positions is not null as imported,
      (extract(epoch from s.date_started) * 1000)::float8 as started_ms,
      (extract(epoch from s.date_ended) * 1000)::float8 as ended_ms,
      l.laps, case when not t.gps_poor then l.best_ms end as best_ms
    from sessions s
    join users u on u.id = s.user_id
    left join cars car on car.id = s.car_id
    left join drivers d on d.id = s.driver_id
    left join lap_timings t on t.session_id = s.id
    left join circuits c on c.team_id = s.team_id and c.id = s.circuit_id
    cross join lateral (
      select
        (count(*) filter (
          where kind in ('full', 'pit') or ends_at_line or (kind = 'out' and number > 0)
        ))::integer as laps,
        min(time_ms) filter (where ${isCompared}) as best_ms
      from laps where session_id = s.id
    ) l
    where s.id = any(${page})
    order by s.date_started desc, s.id desc`.execute(db)
  return {
    sessions: rows.map(listedFromRow),
    next: found.length > page.length ? (page.at(-1) ?? null) : null,
  }
}

/**
 * Reads the sessions of a page, and one more that shows whether another page follows. Everything else is read for
 * these only.
 */
async function pageOf(db: Kysely<Tables>, filter: Filter): Promise<SessionId[]> {
  const joins =
    filter.search === undefined
      ? sql``
      : sql`join users u on u.id = s.user_id
          left join circuits c on c.team_id = s.team_id and c.id = s.circuit_id
          left join cars car on car.id = s.car_id
          cross join lateral (
            select string_agg(d.name, ' ') as names
            from stints st
            join drivers d on d.id = st.driver_id
            where st.session_id = s.id and st.removed_at is null
          ) driven`
  const { rows } = await sql<{ id: SessionId }>`
    select s.id from sessions s ${joins}
    where ${sql.join(conditions(filter), sql` and `)}
    order by s.date_started desc, s.id desc
    limit ${sessionsPerPage + 1}`.execute(db)
  return rows.map(({ id }) => id)
}

function conditions(filter: Filter): RawBuilder<boolean>[] {
  const { teamId, after, search, from, before, sameCircuitAs } = filter
  const all = [sql<boolean>`s.team_id = ${teamId} and not s.practice`]
  // Compared in the database, whose times are more exact than a `Date`.
  if (after !== undefined)
    all.push(sql`(s.date_started, s.id) < (
      select c.date_started, c.id from sessions c where c.id = ${after} and c.team_id = ${teamId})`)
  if (from !== undefined) all.push(sql`s.date_started >= ${new Date(from)}`)
  if (before !== undefined) all.push(sql`s.date_started < ${new Date(before)}`)
  if (sameCircuitAs !== undefined)
    all.push(sql`s.id <> ${sameCircuitAs} and s.circuit_id = (
      select o.circuit_id from sessions o where o.id = ${sameCircuitAs} and o.team_id = ${teamId})`)
  for (const word of (search ?? '').split(' ').filter(Boolean)) all.push(containsWord(word))
  return all
}

/** Compares text, not a pattern: no character of the word has a special meaning, and its cost is bounded. */
function containsWord(word: string): RawBuilder<boolean> {
  return sql`strpos(
    folded(
      concat_ws(' ', s.name, u.first_name, u.last_name, u.email, driven.names, car.number, c.name)
    ),
    folded(${word})
  ) > 0`
}

function listedFromRow(row: Row): ListedSession {
  return {
    id: row.id,
    name: row.name,
    driver: {
      id: row.user_id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
    },
    ...carAndDriver(row),
    startedAt: Math.floor(row.started_ms),
    endedAt: row.ended_ms === null ? null : Math.floor(row.ended_ms),
    circuit: row.circuit,
    laps: row.laps,
    bestLapMs: row.best_ms,
    imported: row.imported,
  }
}
