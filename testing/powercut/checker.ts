// Opens crash images named by the parent process and reports their contents. The images are temporary, so
// nothing is synced.
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { embeddedDatabase } from '#server/db/engines/embedded.ts'
import { openPglite } from '#server/db/engines/openPglite.ts'
import { migrate } from '#server/db/migrate.ts'
import { pgliteEngine } from '../database/pgliteEngine.ts'

/** The contents of an image, or why it could not be opened. Without a database folder the next start is a first one. */
export type Checked = { held: Record<string, number> } | { error: string }

fs.fsyncSync = () => {}

process.on('message', (dataDir: string) => {
  void check(dataDir)
    .catch(
      (error: unknown): Checked => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    .then(checked => process.send?.(checked))
})

async function check(dataDir: string): Promise<Checked> {
  if (!fs.existsSync(path.join(dataDir, 'db'))) return { held: {} }
  const database = embeddedDatabase(pgliteEngine(await openPglite(path.join(dataDir, 'db'))))
  const { db } = database
  try {
    await migrate(db)
    const { rows } = await sql<Record<string, number>>`
      select count(*) as session, coalesce(max(message_version), 0) as version,
        (select count(*) from messages) as message, (select count(*) from positions) as fix,
        (select coalesce(max(version), 0) from messages) as newest
      from sessions`.execute(db)
    const held: Record<string, number> = { started: 1, ...rows[0] }
    if (held['version'] !== held['newest'] || held['newest'] !== held['message'])
      return { error: `a transaction was stored partially: ${JSON.stringify(held)}` }
    // The database must accept writes again.
    await sql`insert into teams (name) values ('after')`.execute(db)
    await sql`checkpoint`.execute(db)
    return { held }
  } finally {
    await database.close()
  }
}
