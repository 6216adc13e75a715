import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import type { Tables } from '../db/schema/tables.ts'
import { binaryArray } from '../db/statements/binaryArray.ts'
import { prepared } from '../db/statements/prepared.ts'

export interface ReceivedFix {
  session: SessionId
  fix: Pick<FixUp, 'at' | 'la' | 'lo' | 'v' | 'ac' | 'h' | 'ar'>
  /** The server's time of the frame. */
  contactAt: EpochMs
}

/**
 * True for a fix that must not move the session: a newer one is known, the session had ended, its data link is
 * off, or its positions were deleted since. SQL on `s`, the session, and `c`, the received fix.
 */
const isStale = sql`(
  s.last_driver_contact > c.at or s.date_ended < c.at or s.positions_deleted_at >= c.at
  or not s.data_link
)`

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
 * Stores the fixes that have a position, if they were received before the session ended (perhaps on another
 * node), and neither received nor taken before its positions were deleted or while its data link was off. Updates each
 * session with its newest fix, unless that came after its end. Idempotent. Requires the partitions of these days.
 *
 * Locks the sessions against concurrent deletions, in the order of their ids, like storing the laps of several sessions.
 * An update alone locks rows in the order of its query plan, which deadlocked with laps every few seconds with 1,000 cars.
 *
 * Returns true if every fix with a position was stored now: false if some were refused, or stored before.
 */
export async function storeFixes(
  db: Kysely<Tables>,
  received: readonly ReceivedFix[],
): Promise<boolean> {
  const newest = [...new Map(received.map(each => [each.session, each])).values()]
  const rowNumbers = new Map(newest.map(({ session }, index) => [session, index + 1]))
  const located = received.filter(({ fix }) => fix.la !== null && fix.lo !== null)
  const { numAffectedRows } = await sql`
    ${prepared} with newest as (
      select s.id, i.n, to_timestamp(i.contact_ms::float8 / 1000) as at,
        i.latitude, i.longitude, i.speed
      from unnest(
        ${binaryArray('uuid', newest, each => each.session)},
        ${binaryArray('bigint', newest, each => each.contactAt)},
        ${binaryArray('float8', newest, each => each.fix.la)},
        ${binaryArray('float8', newest, each => each.fix.lo)},
        ${binaryArray('integer', newest, each => each.fix.v)}
      ) with ordinality as i (id, contact_ms, latitude, longitude, speed, n)
      join sessions s using (id)
      order by s.id
      for no key update of s
    ), moved as (
      update sessions s
      set speed = case when ${isStale} then s.speed else c.speed end,
        latitude = case when ${isStale} then s.latitude else c.latitude end,
        longitude = case when ${isStale} then s.longitude else c.longitude end,
        last_driver_contact = case when ${isStale} then s.last_driver_contact else c.at end
      from newest c
      where s.id = c.id
      returning s.id, s.date_ended, s.positions_deleted_at, c.n,
        exists (select from data_link_breaks b where b.session_id = s.id) as has_breaks
    )
    insert into positions
      (session_id, at, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival)
    select m.id, to_timestamp(h.at_ms::float8 / 1000), h.latitude, h.longitude, h.speed, h.accuracy_m,
      h.heading_deg, h.at_arrival
    from unnest(
      ${binaryArray('integer', located, each => rowNumbers.get(each.session) ?? 0)},
      ${binaryArray('bigint', located, each => each.contactAt)},
      ${binaryArray('bigint', located, each => each.fix.at)},
      ${binaryArray('float8', located, each => each.fix.la)},
      ${binaryArray('float8', located, each => each.fix.lo)},
      ${binaryArray('integer', located, each => each.fix.v)},
      ${binaryArray('real', located, each => tenths(each.fix.ac))},
      ${binaryArray('real', located, each => each.fix.h ?? null)},
      ${binaryArray('boolean', located, each => each.fix.ar ?? null)}
    ) as h (n, contact_ms, at_ms, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival)
    join moved m on m.n = h.n
    where (m.date_ended is null or to_timestamp(h.contact_ms::float8 / 1000) <= m.date_ended)
      and (m.positions_deleted_at is null
        or to_timestamp(least(h.at_ms, h.contact_ms)::float8 / 1000) > m.positions_deleted_at)
      and not (m.has_breaks and (
        ${isInBreak(sql`m.id`, sql`to_timestamp(h.at_ms::float8 / 1000)`)}
        or ${isInBreak(sql`m.id`, sql`to_timestamp(h.contact_ms::float8 / 1000)`)}
      ))
    on conflict do nothing
  `.execute(db)
  return numAffectedRows === BigInt(located.length)
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
 * words, which need no quotes. `binaryArray` is faster for frequent statements with many rows.
 */
export function column<Row>(
  rows: readonly Row[],
  read: (row: Row) => string | number | boolean | null,
): RawBuilder<string> {
  return sql`${`{${rows.map(row => read(row) ?? 'NULL').join(',')}}`}::text`
}
