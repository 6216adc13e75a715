import { startPostgres } from '../../scripts/postgres.mjs'
import { loadCore, pin } from './processes.ts'

/**
 * Runs something with a PostgreSQL server of its own, with the guarantees that it gives by default, on the
 * core of the load. Without one on this machine it says so, and runs with none.
 */
export async function withPostgres<Result>(
  run: (databaseUrl: string | undefined) => Promise<Result>,
): Promise<Result> {
  // The server inherits it.
  pin(process.pid, loadCore)
  const postgres = await startPostgres({ durable: true })
  if (!postgres) console.log('On the embedded database: there is no PostgreSQL on this machine.')
  try {
    return await run(postgres?.url)
  } finally {
    await postgres?.stop()
  }
}
