import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { proxiedPostgres } from '#testing/database/proxiedPostgres.ts'
import { isDatabaseAway, isStatementTimeout } from '../errors.ts'
import { openPostgres } from './postgres.ts'

const postgres = await proxiedPostgres()
const stallTimeoutMs = 2000
const onWarning = () => undefined

describe.runIf(postgres)('a PostgreSQL server whose machine vanishes', () => {
  afterAll(() => postgres?.stop())

  test('times out, and the next query uses a new connection', async () => {
    await using network = await postgres!.network()
    const database = await openPostgres({ databaseUrl: network.url, onWarning, stallTimeoutMs })
    network.dropPackets()
    const error = await database.ping().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'ETIMEDOUT' })
    expect(isDatabaseAway(error)).toBe(true)

    network.restore()
    await database.ping()
    await database.close()
  })

  test('a connection that breaks fails only its current statement', async () => {
    await using network = await postgres!.network()
    const database = await openPostgres({ databaseUrl: network.url, onWarning })
    const inTransaction = database.db.transaction().execute(async transaction => {
      network.closeConnections()
      await sql`select 1`.execute(transaction)
    })
    await expect(inTransaction).rejects.toSatisfy(isDatabaseAway)
    await database.ping()
    await database.close()
  })

  test('a read that takes too long is ended; a change may take longer', async () => {
    const limitMs = 300
    const { db, readDb, close } = await openPostgres({
      databaseUrl: postgres!.url,
      onWarning,
      statementLimitMs: limitMs,
    })
    const slow = sql`select pg_sleep(${(limitMs * 2) / 1000})`
    await expect(slow.execute(readDb)).rejects.toSatisfy(isStatementTimeout)
    await slow.execute(db)
    await close()
  })

  test('a migration may take any time, a later statement may not', async () => {
    const database = await openPostgres({ databaseUrl: postgres!.url, onWarning, stallTimeoutMs })
    const slow = () => sql`select pg_sleep(${(stallTimeoutMs * 1.5) / 1000})`.execute(database.db)
    await database.withoutStatementTimeout(slow)
    await expect(slow()).rejects.toThrow('sent nothing for')
    await database.close()
  })
})
