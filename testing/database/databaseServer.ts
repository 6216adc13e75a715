import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Returns the URL of a database on a PostgreSQL server. */
export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs a statement on a PostgreSQL server, such as one that creates a database. */
export async function administer(serverUrl: string, statement: string) {
  await connected(serverUrl, client => client.query(statement))
}

/** Returns a name for a database of this test run. */
export function newName(): string {
  const { TEST_RUN = 'single' } = process.env
  return `${namesOf(TEST_RUN)}${randomBytes(6).toString('hex')}`
}

/** Drops the databases of a test run that still exist. */
export async function dropDatabases(serverUrl: string, testRun: string) {
  await connected(serverUrl, async client => {
    const query = 'select datname from pg_database where starts_with(datname, $1)'
    const { rows } = await client.query<{ datname: string }>(query, [namesOf(testRun)])
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  })
}

function namesOf(testRun: string): string {
  return `pitboard_test_${testRun}_`
}

async function connected(serverUrl: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
