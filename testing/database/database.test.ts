import { sql } from 'kysely'
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

test('a trigger of one test does not run in the next one', async () => {
  const triggers = sql`select tgname from pg_trigger where tgname = 'refuse'`
  {
    await using triggered = await testDatabase()
    const { db } = triggered.open
    await sql`create function refuse_team() returns trigger language plpgsql as
      'begin raise exception ''refused''; end'`.execute(db)
    await sql`create trigger refuse before insert on teams for each row execute function refuse_team()`.execute(
      db,
    )
    expect((await triggers.execute(db)).rows).toHaveLength(1)
  }
  await using next = await testDatabase()
  expect((await triggers.execute(next.open.db)).rows).toEqual([])
})

test('a server can open a migrated database from its settings', async () => {
  await using prepared = await testDatabaseSettings()
  const database = await openDatabase(prepared.settings)
  expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
  await database.close()
})
