import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proxiedPostgres } from '#testing/database/proxiedPostgres.ts'
import { patience } from '#testing/patience.ts'
import { DatabaseRefused } from './database.ts'
import { claimDatabase } from './databaseClaim.ts'

const postgres = await proxiedPostgres()

describe.skipIf(!postgres)('a PostgreSQL database', () => {
  let databaseUrl = ''
  const messages: string[] = []
  const note = (first: unknown, second?: unknown) => void messages.push(String(second ?? first))
  const log = { info: note, warn: note, error: note }

  beforeAll(async () => {
    const name = `claim_${randomUUID().replaceAll('-', '')}`
    await administer(postgres!.url, `create database ${name}`)
    databaseUrl = Object.assign(new URL(postgres!.url), { pathname: `/${name}` }).href
  })
  afterAll(() => postgres?.stop())

  test('refuses a second process that shares no bus with the first', async () => {
    const release = await claimDatabase({ databaseUrl, shared: false, log })
    for (const shared of [false, true]) {
      const second = claimDatabase({ databaseUrl, shared, log, waitMs: 0 })
      await expect(second).rejects.toThrow(DatabaseRefused)
    }
    await release()
    const next = await claimDatabase({ databaseUrl, shared: false, log, waitMs: 0 })
    await next()
  })

  test('accepts any number of processes with a bus', async () => {
    const releases = await Promise.all(
      [1, 2, 3].map(() => claimDatabase({ databaseUrl, shared: true, log, waitMs: 0 })),
    )
    const alone = claimDatabase({ databaseUrl, shared: false, log, waitMs: 0 })
    await expect(alone).rejects.toThrow('ALLOW_SHARED_DATABASE=1')
    await Promise.all(releases.map(release => release()))
  })

  test('waits for a process that is still closing', async () => {
    const release = await claimDatabase({ databaseUrl, shared: false, log })
    messages.length = 0
    const second = claimDatabase({ databaseUrl, shared: false, log })
    await expect
      .poll(() => messages)
      .toEqual(['another process uses this database, waiting for it to stop'])
    await release()
    await (await second)()
  })

  test('is claimed again after the connection broke', { timeout: 60_000 * patience }, async () => {
    const release = await claimDatabase({ databaseUrl, shared: false, log })
    const holders = `from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and granted and datname = current_database()`
    const { rows } = await administer(databaseUrl, `select pid ${holders}`)
    const { pid } = rows[0]
    await administer(databaseUrl, `select pg_terminate_backend(${pid})`)
    await expect
      .poll(
        async () =>
          (await administer(databaseUrl, `select pid ${holders} and pid <> ${pid}`)).rowCount,
        { timeout: 30_000 * patience },
      )
      .toBe(1)
    const second = claimDatabase({ databaseUrl, shared: false, log, waitMs: 0 })
    await expect(second).rejects.toThrow(DatabaseRefused)
    await release()
  })
})

async function administer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
