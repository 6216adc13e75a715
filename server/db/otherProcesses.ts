import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import { processName } from './postgres.ts'
import type { Tables } from './tables.ts'

const everyMs = 60_000

/**
 * Looks once a minute whether another process works on the same PostgreSQL database, and says so in the log:
 * without a bus neither hears what the other is told. Call the result to stop.
 */
export function watchForOthers(db: Kysely<Tables>, log: Log): () => void {
  async function look() {
    if ((await otherProcesses(db)) === 0) return
    log.error(
      'another process works on this database, and messages do not pass between the two: set NATS_URL for both, or stop one',
    )
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, 'did not look for other processes'))
  }, everyMs).unref()
  return () => clearInterval(timer)
}

/** How many other processes of this program have a connection to the database at the moment. */
export async function otherProcesses(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(distinct application_name) as others
    from pg_stat_activity
    where datname = current_database()
      and starts_with(application_name, ${processName}::text)
      and application_name <> current_setting('application_name')`.execute(db)
  return rows[0]?.others ?? 0
}
