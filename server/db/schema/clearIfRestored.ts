import { type Kysely, sql } from 'kysely'
import type { Log } from '../../log.ts'
import type { Tables } from './tables.ts'

/**
 * Clears the screens of active sessions if the database was restored from a dump since the last start (M2). The check
 * locks its row, so that of several nodes that start together only one clears them. A copy of the data directory is not
 * detected: it has the same object ids.
 */
export async function clearIfRestored(db: Kysely<Tables>, log: Pick<Log, 'warn'>): Promise<void> {
  const { rows } = await sql<{ sessions: number }>`
    select clear_after_restore() as sessions
    from (
      select from database_identity
      where table_oid <> tableoid or server_id <> current_server_id()
      for update
    ) as restored`.execute(db)
  for (const { sessions } of rows)
    log.warn({ sessions }, 'database was restored: cleared the screens of active sessions')
}
