import type { Database } from '../database.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

export interface DatabaseSettings {
  /** URL of a PostgreSQL server, 15 or newer; undefined for the embedded database. */
  databaseUrl?: string | undefined
  /** Directory of the embedded database, in its subfolder `db`. */
  dataDir: string
  /** Called for background errors that the database survives. */
  onWarning?: (error: unknown) => void
}

/** Opens the database. Throws DatabaseRefused if another process uses it or the server is too old. */
export function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const onWarning = settings.onWarning ?? warnOnStandardError
  return settings.databaseUrl
    ? openPostgres({ databaseUrl: settings.databaseUrl, onWarning })
    : openEmbedded(settings.dataDir, onWarning)
}

function warnOnStandardError(error: unknown) {
  process.emitWarning(error instanceof Error ? error : String(error))
}
