import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase, temporaryDirectory } from '#testing/database/database.ts'
import { DatabaseRefused } from './database.ts'
import { openDatabase } from './engines/open.ts'
import { migrate } from './migrate.ts'

const schemaOf1 = new URL('./schema/migrations/0001_schema.sql', import.meta.url)
const rowsOf1 = new URL('./schema/rowsOf1.0.0.sql', import.meta.url)

const counting = "create table ran (name text); insert into ran values ('one');"

test('our migrations run, and change nothing when run again', async () => {
  await using database = await emptyDatabase()
  const { db } = database.open
  await migrate(db)
  await db.insertInto('teams').values({ name: 'Night Owls' }).execute()
  await migrate(db)
  expect(await db.selectFrom('teams').select('name').execute()).toEqual([{ name: 'Night Owls' }])
})

/** SHA-256 of the schema of 1.0.0. */
const digestOf1 = '3d91eb4ec93182652b2073db18f32da48358d294601c6c47ed00b02cb31ea597'

test('the schema of 1.0.0 stays as it was released: a later change is a new migration', async () => {
  expect(
    createHash('sha256')
      .update(await readFile(schemaOf1))
      .digest('hex'),
  ).toBe(digestOf1)
})

test('a database of 1.0.0 keeps its rows', async () => {
  await using database = await emptyDatabase()
  await using released = await folder({ '0001_schema.sql': await readFile(schemaOf1, 'utf8') })
  const { db } = database.open
  await migrate(db, released.url)
  await sql.raw(await readFile(rowsOf1, 'utf8')).execute(db)
  await migrate(db)
  const cars = await db
    .selectFrom('sessions_view')
    .innerJoin('car_runs', 'car_runs.session_id', 'sessions_view.id')
    .innerJoin('cars', 'cars.id', 'car_runs.car_id')
    .innerJoin('races', 'races.id', 'car_runs.race_id')
    .select(['cars.number', 'driver_first_name', 'races.name', 'message_type', 'message_version'])
    .orderBy('cars.number')
    .execute()
  const race = { name: 'Zolder 6 hours' }
  expect(cars).toEqual([
    { ...race, number: '12', driver_first_name: 'Mia', message_type: 'Easy', message_version: 2 },
    { ...race, number: '21', driver_first_name: 'Jonas', message_type: null, message_version: 2 },
    { ...race, number: '7', driver_first_name: 'Leo', message_type: null, message_version: 0 },
  ])
})

test('second entries of a driver change stay as they were stored', async () => {
  await using database = await emptyDatabase()
  await using released = await folder({ '0001_schema.sql': await readFile(schemaOf1, 'utf8') })
  const { db } = database.open
  await migrate(db, released.url)
  await sql.raw(await readFile(rowsOf1, 'utf8')).execute(db)
  const id = (end: number) => `00000000-0000-4000-8000-00000000000${end}`
  const add = (end: number, removed: string | null, mergedInto: number | null) =>
    sql`
      insert into stints (session_id, id, from_at, removed_at, merged_into)
      select id, ${id(end)}::uuid, now(), ${removed}::timestamptz,
        ${mergedInto === null ? null : id(mergedInto)}::uuid
      from sessions order by id limit 1`.execute(db)
  const [merged, undone] = ['2026-11-01T10:00:00.000Z', '2026-11-01T11:00:00.000Z']
  await add(1, null, null)
  await add(2, merged, 1)
  await add(3, undone, null)
  await add(4, merged, 3)
  await migrate(db)
  const rows = await db
    .selectFrom('stints')
    .select(['id', 'removed_at', 'by_hand'])
    .where('from_at', 'is not', null)
    .orderBy('id')
    .execute()
  const removed_at = new Date(undone)
  expect(rows).toEqual([
    { id: id(1), removed_at: null, by_hand: true },
    { id: id(2), removed_at: new Date(merged), by_hand: false },
    { id: id(3), removed_at, by_hand: false },
    { id: id(4), removed_at: new Date(merged), by_hand: false },
  ])
})

test('files run once each, in the order of their names, also those added later', async () => {
  await using database = await emptyDatabase()
  await using files = await folder({
    '0002_two.sql': "insert into ran values ('two'); insert into ran values ('two again')",
    '0001_one.sql': counting,
    'notes.txt': 'not a migration',
  })
  const { db } = database.open
  await migrate(db, files.url)
  await files.write('0003_three.sql', "insert into ran values ('three')")
  await migrate(db, files.url)
  const { rows } = await sql<{ name: string }>`select name from ran`.execute(db)
  expect(rows.map(row => row.name)).toEqual(['one', 'two', 'two again', 'three'])
})

test('a migration that fails is rolled back and reports why', async () => {
  await using database = await emptyDatabase()
  await using files = await folder({
    '0001_one.sql': counting,
    '0002_bad.sql': "insert into ran values ('two'); select no_such_function()",
  })
  const { db } = database.open
  await expect(migrate(db, files.url)).rejects.toThrow('no_such_function')
  const { rows } = await sql`select to_regclass('ran') as ran`.execute(db)
  expect(rows).toEqual([{ ran: null }])
})

test('a database newer than the program is refused by name', async () => {
  await using database = await emptyDatabase()
  await using newer = await folder({ '0001_one.sql': counting, '0002_two.sql': 'select 1' })
  await using older = await folder({ '0001_one.sql': counting })
  const { db } = database.open
  await migrate(db, newer.url)
  const start = migrate(db, older.url)
  await expect(start).rejects.toThrow(DatabaseRefused)
  await expect(start).rejects.toThrow('newer than this program: it has 0002_two')
})

test('a database of an earlier build is refused with what to do', async () => {
  await using database = await emptyDatabase()
  await using earlier = await folder({ '0001_teams.sql': counting, '0065_line.sql': 'select 1' })
  const { db } = database.open
  await migrate(db, earlier.url)
  const start = migrate(db)
  await expect(start).rejects.toThrow(DatabaseRefused)
  await expect(start).rejects.toThrow(
    'from a build of Pitboard before 1.0.0, which this version cannot read. Use it with that build',
  )
})

test('of four processes that start at once, one migrates', async ({ skip }) => {
  await using database = await emptyDatabase()
  skip(database.open.engine === 'embedded', 'the embedded database has one process')
  await using files = await folder({
    '0001_one.sql': counting,
    '0002_slow.sql': "select pg_sleep(0.2); insert into ran values ('two')",
  })
  const nodes = await Promise.all([1, 2, 3, 4].map(() => openDatabase(database.settings)))
  await Promise.all(nodes.map(node => migrate(node.db, files.url)))
  await Promise.all(nodes.map(node => node.close()))
  const { rows } = await sql<{ name: string }>`select name from ran`.execute(database.open.db)
  expect(rows).toEqual([{ name: 'one' }, { name: 'two' }])
})

test('a folder without migrations is an error', async () => {
  await using database = await emptyDatabase()
  await using files = await folder({})
  await expect(migrate(database.open.db, files.url)).rejects.toThrow('There are no migrations in')
})

async function folder(files: Record<string, string>) {
  const { dataDir, [Symbol.asyncDispose]: remove } = await temporaryDirectory()
  const write = (name: string, text: string) => writeFile(path.join(dataDir, name), text)
  for (const [name, text] of Object.entries(files)) await write(name, text)
  return { url: pathToFileURL(`${dataDir}/`), write, [Symbol.asyncDispose]: remove }
}
