import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { pages, storedBounds } from '#contract/shared/storedBounds.ts'
import { isYellow } from '../circuits/comparedLaps.ts'
import { epochMs } from '../db/epochMs.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Reads the stored laps of a session, in order of time. */
export async function storedLaps(db: Kysely<Tables>, sessionId: SessionId): Promise<Lap[]> {
  const { rows } = await sql<{ laps: Lap[] }>`
    ${prepared} select ${lapsAsJson(sql`${sessionId}::uuid`)} as laps`.execute(db)
  return rows[0]?.laps ?? []
}

/** Reads a page of the laps of a session with a number above `after`. `next` is the last one if more follow. */
export async function pageOfLaps(
  db: Kysely<Tables>,
  sessionId: SessionId,
  after = -1,
): Promise<{ laps: Lap[]; next: number | undefined }> {
  const page = sql`(
    select * from laps where session_id = ${sessionId}::uuid and number > ${after}::integer
    order by number limit ${sql.lit(pages.laps + 1)}
  )`
  const { rows } = await sql<{ laps: Lap[] }>`
    ${prepared} select coalesce(json_agg(${lapAsJson} order by number), '[]') as laps from ${page} page`.execute(
    db,
  )
  const [{ laps } = { laps: [] }] = rows
  const shown = laps.slice(0, pages.laps)
  return { laps: shown, next: laps.length > shown.length ? shown.at(-1)?.number : undefined }
}

/** Reads the laps of a session a page at a time. */
export async function* allLaps(db: Kysely<Tables>, sessionId: SessionId): AsyncGenerator<Lap[]> {
  let after: number | undefined
  do {
    const { laps, next } = await pageOfLaps(db, sessionId, after)
    yield laps
    after = next
  } while (after !== undefined)
}

const lapColumns = sql`
  'number', number, 'startedAt', ${epochMs(sql`started_at`)}, 'timeMs', time_ms,
  'plusMinusMs', plus_minus_ms, 'kind', kind, 'isSeen', is_seen,
  'yellow', ${isYellow}, 'yellowMessage', yellow_message, 'yellowFlag', yellow_flag, 'marked', marked
`
const lapAsJson = sql`case
  when ends_at_line then json_build_object(${lapColumns}, 'endsAtLine', true)
  else json_build_object(${lapColumns}) end`

/** Selects the stored laps of a session, in order of time, as SQL. Beyond the bound only the newest count. */
export function lapsAsJson(sessionId: RawBuilder<unknown>): RawBuilder<Lap[]> {
  return sql`(
    select coalesce(json_agg(${lapAsJson} order by number), '[]')
    from (
      select * from laps where session_id = ${sessionId}
      order by number desc limit ${sql.lit(storedBounds.laps.max)}
    ) newest
  )`
}

/**
 * Deletes the laps of a session, its visits to the pits, its moves, and the state of their computation. Marks stay, for
 * laps that are computed later.
 */
export async function deleteLaps(db: Kysely<Tables>, sessionId: SessionId) {
  await db.deleteFrom('laps').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('pit_visits').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('session_moves').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('lap_timings').where('session_id', '=', sessionId).execute()
}
