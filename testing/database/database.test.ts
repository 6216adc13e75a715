import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { emptyDatabase, testDatabase, testDatabaseSettings } from './database.ts'

test('each test has its own empty, migrated database', async () => {
  await using one = await testDatabase()
  await using two = await testDatabase()
  await one.open.db.insertInto('teams').values({ name: 'Night Owls' }).execute()
  expect(await one.open.db.selectFrom('teams').select('name').execute()).toEqual([
    { name: 'Night Owls' },
  ])
  expect(await two.open.db.selectFrom('teams').select('name').execute()).toEqual([])
})

test('rows written by the trigger of deleted files are not in the next test', async () => {
  {
    await using one = await testDatabase()
    const { db } = one.open
    const { id } = await db
      .insertInto('teams')
      .values({ name: 'Night Owls' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('files')
      .values({
        team_id: id,
        name: 'plan',
        blob_key: 'a',
        content_type: 'application/octet-stream',
        size_bytes: 1,
      })
      .execute()
  }
  await using next = await testDatabase()
  const { db } = next.open
  expect(await db.selectFrom('files').selectAll().execute()).toEqual([])
  // The trigger of deleted files writes to this table.
  expect(await db.selectFrom('blob_leftovers').selectAll().execute()).toEqual([])
})

// On PostgreSQL each test has a database of its own.
test.skipIf(process.env.TEST_DATABASE_URL)(
  'a transaction that a test leaves open fails the test',
  async () => {
    const { open, [Symbol.asyncDispose]: dispose } = await testDatabase()
    await sql`begin`.execute(open.db)
    await open.db.insertInto('teams').values({ name: 'Night Owls' }).execute()
    await expect(dispose()).rejects.toThrow('left a transaction open')
    await using next = await testDatabase()
    expect(await next.open.db.selectFrom('teams').select('name').execute()).toEqual([])
  },
)

test('a database without tables has none in the next test either', async () => {
  for (let use = 0; use < 2; use++) {
    await using database = await emptyDatabase()
    const { db } = database.open
    await sql`create table ran (name text)`.execute(db)
    expect(await sql`select name from ran`.execute(db)).toMatchObject({ rows: [] })
  }
})

test('a trigger of one test, and its function, are not in the next one', async () => {
  const triggers = sql`select tgname from pg_trigger where tgname = 'refuse'`
  const functions = sql`select proname from pg_proc where proname = 'refuse_team'`
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
  expect((await functions.execute(next.open.db)).rows).toEqual([])
})

test('a server can open a migrated database from its settings', async () => {
  await using prepared = await testDatabaseSettings()
  const database = await openDatabase(prepared.settings)
  expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
  await database.close()
})
