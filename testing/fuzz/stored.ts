import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import { storedRows } from '../database/storedRows.ts'
import { type FuzzScene, watcherLatitude } from './scene.ts'

/**
 * Tables and columns that change without an accepted input: rate counters, attempts at codes, expiry of logins,
 * and fixes, laps and the circuits learned from them, which are stored some seconds later.
 */
const volatileTables = [
  'rate_counts',
  'login_codes',
  'logins',
  'server_keys',
  'support_audit',
  'laps',
  'lap_timings',
  'pit_visits',
  'session_moves',
]
const volatileColumns = ['speed', 'latitude', 'longitude', 'last_driver_contact']

/** Returns a hash of every row that an accepted command could change, by table. */
export async function everythingStored({ database: { db } }: TestApp) {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'positions%'
    order by table_name`.execute(db)
  const hashes: Record<string, string> = {}
  for (const { name } of tables.filter(each => !volatileTables.includes(each.name))) {
    const { rows } = await sql<{ hash: string | null }>`
      select md5(string_agg(row, '|' order by row)) as hash
      from (select (to_jsonb(t) - ${volatileColumns}::text[])::text as row from ${sql.table(name)} t) rows
      `.execute(db)
    hashes[name] = rows[0]?.hash ?? ''
  }
  return hashes
}

/** Returns all rows of the foreign team and its driver. */
export async function storedOfForeign(
  { database: { db } }: TestApp,
  { names, foreign }: FuzzScene,
) {
  const { foreignTeamId: teamId, foreignSessionId: sessionId } = names
  return {
    team: await storedRows(db, 'teams', 'id', teamId),
    members: await storedRows(db, 'team_access', 'team_id', teamId),
    sessions: await db
      .selectFrom('sessions')
      .select(['id', 'user_id', 'name', 'status', 'message_type', 'message_version'])
      .select(['expire_after_s', 'phone', 'driving_since', 'positions_deleted_at'])
      .where('team_id', '=', teamId)
      .orderBy('id')
      .execute(),
    messages: await storedRows(db, 'messages', 'session_id', sessionId),
    positions: await db
      .selectFrom('positions')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('latitude', '!=', watcherLatitude)
      .execute(),
    files: await storedRows(db, 'files', 'team_id', teamId),
    user: await storedRows(db, 'users', 'id', foreign.id),
    logins: await db
      .selectFrom('logins')
      .select(['id', 'token_hash'])
      .where('user_id', '=', foreign.id)
      .execute(),
  }
}
