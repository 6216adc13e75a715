import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/engines/open.ts'
import { startPostgres } from './postgres.mjs'

test('a private PostgreSQL server starts, responds and leaves nothing behind', async ({ skip }) => {
  const postgres = await startPostgres()
  if (!postgres) return skip('this machine has no PostgreSQL')
  const settings = { databaseUrl: postgres.url, dataDir: '' }
  const database = await openDatabase(settings)
  await expect(database.ping()).resolves.toBeUndefined()
  await database.close()
  await postgres.stop()
  await expect(openDatabase(settings)).rejects.toThrow('ECONNREFUSED')
})
