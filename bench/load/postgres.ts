import { startPostgres } from '../../scripts/environment/postgres.mjs'
import { loadCore, pin } from './processes.ts'

/**
 * Runs a task with a PostgreSQL server of its own, with default durability, on the core of the load.
 * Without PostgreSQL on this machine it prints a notice and runs with none.
 */
export async function withPostgres<Result>(
  run: (databaseUrl: string | undefined) => Promise<Result>,
): Promise<Result> {
  // The server inherits the pinning.
  pin(process.pid, loadCore)
  const postgres = await startPostgres({ durable: true })
  if (!postgres) console.log('Using the embedded database: PostgreSQL is not installed.')
  try {
    return await run(postgres?.url)
  } finally {
    await postgres?.stop()
  }
}
