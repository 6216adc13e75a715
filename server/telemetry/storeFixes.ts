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
 * Stores the fixes that have a position, and moves each active session to the newest that was heard. Twice
 * is once. Their days must have been made.
 */
export async function storeFixes(db: Kysely<Tables>, heard: readonly HeardFix[]) {
  const newest = [...new Map(heard.map(each => [each.session, each])).values()]
  // Nodes that write of the same sessions lock them in one order.
  newest.sort((a, b) => (a.session < b.session ? -1 : 1))
  await storePositions(
    db,
    newest.map(({ session }) => session),
    heard.filter(({ fix }) => fix.la !== null && fix.lo !== null),
  )
  await moveSessions(db, newest)
}

/** A session is locked meanwhile: who has its positions deleted is waited for, or waits. */
async function storePositions(
  db: Kysely<Tables>,
  sessions: readonly SessionId[],
  heard: readonly HeardFix[],
) {
  if (heard.length === 0) return
  const places = new Map(sessions.map((session, index) => [session, index + 1]))
  await sql`
    with active as (
      select s.id, s.positions_deleted_at, i.n
      from unnest(${column(sessions, id => id)}::uuid[]) with ordinality as i (id, n)
      join sessions s on s.id = i.id and s.status = 'Active'
      order by s.id
      for no key update of s
    )
    insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
    select s.id, to_timestamp(h.at_ms::float8 / 1000), h.latitude, h.longitude, h.speed, h.accuracy_m
    from unnest(
      ${column(heard, each => places.get(each.session) ?? 0)}::integer[],
      ${column(heard, each => each.fix.at)}::bigint[],
      ${column(heard, each => each.fix.la)}::float8[],
      ${column(heard, each => each.fix.lo)}::float8[],
      ${column(heard, each => each.fix.v)}::integer[],
      ${column(heard, each => tenths(each.fix.ac))}::real[]
    ) as h (n, at_ms, latitude, longitude, speed, accuracy_m)
    join active s on s.n = h.n
    where s.positions_deleted_at is null
      or to_timestamp(h.at_ms::float8 / 1000) > s.positions_deleted_at
    on conflict do nothing
  `.execute(db)
}

async function moveSessions(db: Kysely<Tables>, newest: readonly HeardFix[]) {
  await sql`
    update sessions s
    set speed = h.speed, latitude = h.latitude, longitude = h.longitude,
      last_driver_contact = to_timestamp(h.contact_ms::float8 / 1000)
    from unnest(
      ${column(newest, each => each.session)}::uuid[],
      ${column(newest, each => each.contactAt)}::bigint[],
      ${column(newest, each => each.fix.la)}::float8[],
      ${column(newest, each => each.fix.lo)}::float8[],
      ${column(newest, each => each.fix.v)}::integer[]
    ) as h (session_id, contact_ms, latitude, longitude, speed)
    where s.id = h.session_id and s.status = 'Active'
      and (
        s.last_driver_contact is null
        or s.last_driver_contact <= to_timestamp(h.contact_ms::float8 / 1000)
      )
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
