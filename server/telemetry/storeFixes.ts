import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'

export interface ReceivedFix {
  session: SessionId
  fix: Pick<FixUp, 'at' | 'la' | 'lo' | 'v' | 'ac' | 'h' | 'ar'>
  /** The server's time of the frame. */
  contactAt: EpochMs
}

/** True for a fix with a position. */
export function isLocated({ fix }: ReceivedFix): boolean {
  return fix.la !== null && fix.lo !== null
}

/** True if the data link of a session was off at a time, as SQL. */
export function isInBreak(
  session: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (
    select from data_link_breaks b
    where b.session_id = ${session} and b.off_at <= ${at} and coalesce(b.on_at > ${at}, true)
  )`
}

/**
 * Stores the fixes that have a position, if they were received before the session ended (perhaps
 * on another node), and neither received nor taken before its positions were deleted or while its data link was off.
 * Updates the newest fix of each session, unless a newer one is known, it came after the end of the session, the data
 * link is off, or positions were deleted since. Idempotent. Requires the partitions of these days.
 *
 * Locks the sessions in the order of their ids. The weak lock waits for the end of a session, a deletion of its
 * positions and a change of its data link, but not for its laps, which the same node computes afterwards. Locks the
 * newest fixes in the same order, because nodes that store fixes of the same sessions could otherwise deadlock. An only
 * connection needs no locks.
 *
 * Returns how many of these fixes this call stored. The others were refused or had been stored before.
 *
 * The arrays are expanded in select lists: PostgreSQL copies each array of a `from unnest(…)` into a table of its own
 * first.
 */
export async function storeFixes(
  db: Kysely<Tables>,
  received: readonly ReceivedFix[],
  { isOnlyConnection = false } = {},
): Promise<number> {
  const newest = [...new Map(received.map(each => [each.session, each])).values()]
  const rowNumbers = new Map(newest.map(({ session }, index) => [session, index + 1]))
  const located = received.filter(isLocated)
  const { numAffectedRows } = await sql`
    ${prepared} with newest as (
      select s.id, s.date_ended, s.positions_deleted_at, s.data_link,
        exists (select from data_link_breaks b where b.session_id = s.id) as has_breaks,
        report.n, to_timestamp(report.contact_ms::float8 / 1000) as at,
        report.latitude, report.longitude, report.speed
      from (
        select generate_series(1, ${newest.length}::integer) as n,
          unnest(${column(newest, each => each.session)}::uuid[]) as id,
          unnest(${column(newest, each => each.contactAt)}::bigint[]) as contact_ms,
          unnest(${column(newest, each => each.fix.la)}::float8[]) as latitude,
          unnest(${column(newest, each => each.fix.lo)}::float8[]) as longitude,
          unnest(${column(newest, each => each.fix.v)}::integer[]) as speed
      ) as report
      join sessions s using (id)
      join newest_fixes f on f.session_id = s.id
      order by s.id
      ${isOnlyConnection ? sql`` : sql`for key share of s for no key update of f`}
    ), moved as (
      update newest_fixes f
      set speed = session.speed, latitude = session.latitude, longitude = session.longitude,
        last_driver_contact = session.at
      from newest session
      where f.session_id = session.id and session.data_link and (
        f.last_driver_contact > session.at or session.date_ended < session.at
        or session.positions_deleted_at >= session.at
      ) is not true
      returning 1
    )
    insert into positions
      (session_id, at, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival)
    select session.id, to_timestamp(fix.at_ms::float8 / 1000), fix.latitude, fix.longitude, fix.speed,
      fix.accuracy_m, fix.heading_deg, fix.at_arrival
    from (
      select
        unnest(${column(located, each => rowNumbers.get(each.session) ?? 0)}::integer[]) as n,
        unnest(${column(located, each => each.contactAt)}::bigint[]) as contact_ms,
        unnest(${column(located, each => each.fix.at)}::bigint[]) as at_ms,
        unnest(${column(located, each => each.fix.la)}::float8[]) as latitude,
        unnest(${column(located, each => each.fix.lo)}::float8[]) as longitude,
        unnest(${column(located, each => each.fix.v)}::integer[]) as speed,
        unnest(${column(located, each => tenths(each.fix.ac))}::real[]) as accuracy_m,
        unnest(${column(located, each => singlePrecision(each.fix.h ?? null))}::real[]) as heading_deg,
        unnest(${column(located, each => each.fix.ar ?? null)}::boolean[]) as at_arrival
    ) as fix
    join newest session on session.n = fix.n
    -- Counting them runs the update before the insertion, in the order in which uploaded fixes are stored.
    where (select count(*) from moved) >= 0
      -- Refused: fixes that were received after the session ended,
      and (session.date_ended is null
        or to_timestamp(fix.contact_ms::float8 / 1000) <= session.date_ended)
      -- received or taken before its positions were deleted,
      and (session.positions_deleted_at is null
        or to_timestamp(least(fix.at_ms, fix.contact_ms)::float8 / 1000) > session.positions_deleted_at)
      -- received or taken while its data link was off.
      and not (session.has_breaks and (
        ${isInBreak(sql`session.id`, sql`to_timestamp(fix.at_ms::float8 / 1000)`)}
        or ${isInBreak(sql`session.id`, sql`to_timestamp(fix.contact_ms::float8 / 1000)`)}
      ))
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows)
}

/** Rounds metres to one decimal, the precision of the column (`real`). */
export function tenths(metres: number | null): number | null {
  return metres === null ? null : Math.round(metres * 10) / 10
}

/** Rounds to the precision of a `real` column, which refuses a number so small that it would become 0. */
export function singlePrecision(value: number | null): number | null {
  return value === null ? null : Math.fround(value)
}

/**
 * Encodes one column of many rows as an array literal, in one parameter. Only for numbers, booleans, ids and single
 * words, which need no quotes.
 */
export function column<Row>(
  rows: readonly Row[],
  read: (row: Row) => string | number | boolean | null,
): RawBuilder<string> {
  return sql`${`{${rows.map(row => read(row) ?? 'NULL').join(',')}}`}::text`
}
