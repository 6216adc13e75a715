import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/engines/open.ts'
import { emptyDatabase, type TestDatabase, testDatabase, testDatabaseSettings } from './database.ts'

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

test('a transaction that a test leaves open fails the test', async () => {
  const { open, [Symbol.asyncDispose]: dispose } = await testDatabase()
  await sql`begin`.execute(open.db)
  await open.db.insertInto('teams').values({ name: 'Night Owls' }).execute()
  await expect(dispose()).rejects.toThrow('left a transaction open')
  await using next = await testDatabase()
  expect(await next.open.db.selectFrom('teams').select('name').execute()).toEqual([])
})

test('a query after the end of its test is refused', async () => {
  const { open, [Symbol.asyncDispose]: dispose } = await testDatabase()
  await open.db.selectFrom('teams').select('name').execute()
  await dispose()
  const late = open.db.insertInto('teams').values({ name: 'Night Owls' }).execute()
  await expect(late).rejects.toThrow(/closed|destroyed/)
})

test('settings and locks of a session, and sequences, are reset for the next test', async () => {
  const settings = sql`select current_setting('lock_timeout') as timeout,
    (select count(*) from pg_locks where locktype = 'advisory' and objid = 77) as locks`
  async function auditId({ open: { db } }: TestDatabase) {
    const entry = db.insertInto('support_audit').values({ event: 'call-asked' }).returning('id')
    return (await entry.executeTakeFirstOrThrow()).id
  }
  {
    await using database = await testDatabase()
    await sql`set lock_timeout = '7s'`.execute(database.open.db)
    await sql`select pg_advisory_lock(77)`.execute(database.open.db)
    expect((await settings.execute(database.open.db)).rows).toEqual([{ timeout: '7s', locks: 1 }])
    expect(await auditId(database)).toBe(1)
  }
  await using next = await testDatabase()
  expect((await settings.execute(next.open.db)).rows).toEqual([{ timeout: '0', locks: 0 }])
  expect(await auditId(next)).toBe(1)
})

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

test('a constraint of one test, and days of positions, are not in the next one', async () => {
  const added = sql`select conname as name from pg_constraint where conname = 'refused'
    union all select relname from pg_class where relname = 'positions_20260501'`
  {
    await using changed = await testDatabase()
    const { db } = changed.open
    await sql`alter table positions add constraint refused check (speed < 400)`.execute(db)
    await sql`select make_positions_day('2026-05-01')`.execute(db)
    expect((await added.execute(db)).rows).not.toEqual([])
  }
  await using next = await testDatabase()
  expect((await added.execute(next.open.db)).rows).toEqual([])
})

test('a server can open a migrated database from its settings', async () => {
  await using prepared = await testDatabaseSettings()
  const database = await openDatabase(prepared.settings)
  expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
  await database.close()
})
