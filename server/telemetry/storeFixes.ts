import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import type { Tables } from '../db/tables.ts'

export interface HeardFix {
  session: SessionId
  fix: Pick<FixUp, 'at' | 'la' | 'lo' | 'v' | 'ac'>
  /** The server's time of the frame. */
  contactAt: EpochMs
}

/**
 * Something newer is known of the session, it had ended, or its positions were deleted since: SQL on `s`, the
 * session, and `c`, what was heard.
 */
const isOld = sql`(
  s.last_driver_contact > c.at or s.date_ended < c.at or s.positions_deleted_at >= c.at
)`

/**
 * Stores the fixes that have a position, if they were heard before the session ended, perhaps on another
 * node, and not heard or taken before its positions were deleted. Moves each session to the newest that was
 * heard of it; if that was after its end, not at all. Twice is once. Their days must have been made. Moving
 * a session locks it: who has its positions deleted is waited for, or waits.
 */
export async function storeFixes(db: Kysely<Tables>, heard: readonly HeardFix[]) {
  const newest = [...new Map(heard.map(each => [each.session, each])).values()]
  // Nodes that write of the same sessions lock them in one order, as far as the database keeps to it.
  newest.sort((a, b) => (a.session < b.session ? -1 : 1))
  const places = new Map(newest.map(({ session }, index) => [session, index + 1]))
  const placed = heard.filter(({ fix }) => fix.la !== null && fix.lo !== null)
  await sql`
    with moved as (
      update sessions s
      set speed = case when ${isOld} then s.speed else c.speed end,
        latitude = case when ${isOld} then s.latitude else c.latitude end,
        longitude = case when ${isOld} then s.longitude else c.longitude end,
        last_driver_contact = case when ${isOld} then s.last_driver_contact else c.at end
      from (
        select i.id, i.n, to_timestamp(i.contact_ms::float8 / 1000) as at,
          i.latitude, i.longitude, i.speed
        from unnest(
          ${column(newest, each => each.session)}::uuid[],
          ${column(newest, each => each.contactAt)}::bigint[],
          ${column(newest, each => each.fix.la)}::float8[],
          ${column(newest, each => each.fix.lo)}::float8[],
          ${column(newest, each => each.fix.v)}::integer[]
        ) with ordinality as i (id, contact_ms, latitude, longitude, speed, n)
      ) c
      where s.id = c.id
      returning s.id, s.date_ended, s.positions_deleted_at, c.n
    )
    insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
    select m.id, to_timestamp(h.at_ms::float8 / 1000), h.latitude, h.longitude, h.speed, h.accuracy_m
    from unnest(
      ${column(placed, each => places.get(each.session) ?? 0)}::integer[],
      ${column(placed, each => each.contactAt)}::bigint[],
      ${column(placed, each => each.fix.at)}::bigint[],
      ${column(placed, each => each.fix.la)}::float8[],
      ${column(placed, each => each.fix.lo)}::float8[],
      ${column(placed, each => each.fix.v)}::integer[],
      ${column(placed, each => tenths(each.fix.ac))}::real[]
    ) as h (n, contact_ms, at_ms, latitude, longitude, speed, accuracy_m)
    join moved m on m.n = h.n
    where (m.date_ended is null or to_timestamp(h.contact_ms::float8 / 1000) <= m.date_ended)
      and (m.positions_deleted_at is null
        or to_timestamp(least(h.at_ms, h.contact_ms)::float8 / 1000) > m.positions_deleted_at)
    on conflict do nothing
  `.execute(db)
}

/** Metres to one decimal: a real holds no more. */
export function tenths(metres: number | null): number | null {
  return metres === null ? null : Math.round(metres * 10) / 10
}

/**
 * One column of many rows as the text of an array: one parameter, and by far the quickest to read for
 * either engine. Only for numbers and ids, which need no quotes.
 */
export function column<Row>(
  rows: readonly Row[],
  read: (row: Row) => string | number | null,
): RawBuilder<string> {
  return sql`${`{${rows.map(row => read(row) ?? 'NULL').join(',')}}`}::text`
}
