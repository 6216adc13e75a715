import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { testDatabase, testDatabaseSettings } from './database.ts'

test('each test has its own empty, migrated database', async () => {
  await using one = await testDatabase()
  await using two = await testDatabase()
  await one.open.db.insertInto('teams').values({ name: 'Night Owls' }).execute()
  expect(await one.open.db.selectFrom('teams').select('name').execute()).toEqual([
    { name: 'Night Owls' },
  ])
  expect(await two.open.db.selectFrom('teams').select('name').execute()).toEqual([])
})

test('a server can open a migrated database from its settings', async () => {
  await using prepared = await testDatabaseSettings()
  const database = await openDatabase(prepared.settings)
  expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
  await database.close()
})
