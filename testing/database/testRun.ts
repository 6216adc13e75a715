import { randomBytes } from 'node:crypto'
import { dropDatabases } from './databaseServer.ts'

/** Global setup of Vitest: names the run, whose tests may then keep databases on a PostgreSQL server until its end. */
export function setup() {
  process.env.TEST_RUN ??= randomBytes(6).toString('hex')
}

export async function teardown() {
  const { TEST_DATABASE_URL, TEST_RUN } = process.env
  if (TEST_DATABASE_URL && TEST_RUN) await dropDatabases(TEST_DATABASE_URL, TEST_RUN)
}
