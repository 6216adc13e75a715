import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import type { FixRefusal } from '#contract/sessions.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { clockToleranceMs } from '#contract/shared/liveRules.ts'
import type { Tables } from '../db/schema/tables.ts'
import { Days } from './days.ts'
import { column, isInBreak, singlePrecision, tenths } from './storeFixes.ts'

/** A phone reconnects from a dead zone after minutes, and from a drawer after days. */
const maxAgeDays = 30

/**
 * Receivers report once a second, the fastest ten times: a higher rate is not a real drive. The setting
 * `FIXES_PER_SECOND` limits only live fixes.
 */
const maxPerSecond = 10

interface BufferedFixes {
  sessionId: SessionId
  fixes: readonly Fix[]
  historyDays: number
  now: EpochMs
}

interface Refused {
  at: EpochMs
  reason: FixRefusal
}

/**
 * Stores fixes that a phone buffered in a dead zone. Idempotent by the time each was taken. Returns the
 * number of new fixes and the ones that will never be stored; fixes stored before are in neither. Does not
 * touch the car's current position, because these are past.
 */
export async function storeBufferedFixes(
  db: Kysely<Tables>,
  { sessionId, fixes, historyDays, now }: BufferedFixes,
): Promise<{ stored: number; refused: Refused[] }> {
  const oldest = now - Math.min(maxAgeDays, historyDays) * dayMs
  const reasonFor = ({ at, latitude, longitude }: Fix): FixRefusal | null => {
    if (latitude === null || longitude === null) return 'no-position'
    if (at > now + clockToleranceMs) return 'future'
    return at <= oldest ? 'too-old' : null
  }
  const refused = fixes.flatMap(fix => {
    const reason = reasonFor(fix)
    return reason ? [{ at: fix.at, reason }] : []
  })
  const storable = fixes.filter(fix => reasonFor(fix) === null)
  if (storable.length === 0) return { stored: 0, refused }
  await new Days(db).make(storable.map(({ at }) => at))
  const rows = await insertFresh(db, sessionId, storable, now)
  const refusedByTable = rows.flatMap(({ at_ms, reason }) =>
    at_ms === null || reason === null ? [] : [{ at: at_ms, reason }],
  )
  return { stored: rows[0]?.stored ?? 0, refused: [...refused, ...refusedByTable] }
}

/** One row per refused fix, or a single row without; `stored` is the same in all. */
interface Row {
  stored: number
  at_ms: number | null
  reason: FixRefusal | null
}

async function insertFresh(
  db: Kysely<Tables>,
  sessionId: SessionId,
  fixes: readonly Fix[],
  now: EpochMs,
): Promise<Row[]> {
  const tolerance = sql`make_interval(secs => ${clockToleranceMs / 1000}::double precision)`
  const { rows } = await sql<Row>`
    with kept as (
      select r.at_ms, to_timestamp(r.at_ms::float8 / 1000) as at,
        r.latitude, r.longitude, r.speed, r.accuracy_m, r.heading_deg, r.at_arrival
      from unnest(
        ${column(fixes, each => each.at)}::bigint[],
        ${column(fixes, each => each.latitude)}::float8[],
        ${column(fixes, each => each.longitude)}::float8[],
        ${column(fixes, each => each.speedKmh)}::integer[],
        ${column(fixes, each => tenths(each.accuracyM))}::real[],
        ${column(fixes, each => singlePrecision(each.headingDeg ?? null))}::real[],
        ${column(fixes, each => each.atArrival ?? null)}::boolean[]
      ) as r (at_ms, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival)
    ), fresh as (
      select k.*, row_number() over (partition by date_trunc('second', k.at) order by k.at) as nth
      from kept k
      where not exists (
        select from positions p where p.session_id = ${sessionId} and p.at = k.at
      )
    ), judged as (
      select r.*, s.id as session_id, case
        when r.at not between s.date_started - ${tolerance}
          and coalesce(s.date_ended, ${new Date(now)}::timestamptz) + ${tolerance} then 'outside-session'
        when r.at <= s.positions_deleted_at then 'deleted'
        when ${isInBreak(sql`s.id`, sql`r.at`)} then 'data-link-off'
        when r.nth + (
          select count(*) from positions p
          where p.session_id = s.id and p.at >= date_trunc('second', r.at)
            and p.at < date_trunc('second', r.at) + interval '1 second'
        ) > ${maxPerSecond} then 'too-many'
      end as reason
      from fresh r
      join sessions s on s.id = ${sessionId}
      join newest_fixes f on f.session_id = s.id
      for share of s
      -- Waits for fixes that are being stored: both could deadlock if they insert the same fixes in different orders.
      for no key update of f
    ), inserted as (
      insert into positions
        (session_id, at, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival)
      select session_id, at, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival
      from judged where reason is null
      on conflict do nothing
      returning at
    )
    select c.stored, j.at_ms::float8 as at_ms, j.reason
    from (select count(*)::integer as stored from inserted) c
    left join judged j on j.reason is not null
  `.execute(db)
  return rows
}
