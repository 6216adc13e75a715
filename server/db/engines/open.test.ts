import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { isUniqueViolation } from '../errors.ts'

test('times are returned as Dates, counts and bigints as numbers, bytes as Buffers', async () => {
  await using database = await testDatabase()
  const { rows } = await sql`
    select timestamptz '2026-05-01 12:00:00.25+02' as at,
      timestamp '2026-05-01 12:00' as local_at,
      count(*) as count, 4503599627370497::bigint as big, 12.5::numeric as exact,
      array[1, null, 3]::bigint[] as bigs, ${Buffer.from([0, 255])}::bytea as bytes,
      array[timestamptz '2026-05-01 12:00+00'] as times`.execute(database.open.db)
  expect(rows).toEqual([
    {
      at: new Date('2026-05-01T10:00:00.250Z'),
      local_at: new Date('2026-05-01T12:00:00Z'),
      count: 1,
      big: 4503599627370497,
      exact: 12.5,
      bigs: [1, null, 3],
      bytes: Buffer.from([0, 255]),
      times: [new Date('2026-05-01T12:00:00Z')],
    },
  ])
  expect(Buffer.isBuffer((rows[0] as { bytes: unknown }).bytes)).toBe(true)
})

test('arrays of times, numbers and bytes work as parameters, nulls included', async () => {
  await using database = await testDatabase()
  const at = new Date('2026-05-01T10:00:00.123Z')
  const { rows } = await sql`
    select * from unnest(${[at, null]}::timestamptz[], ${[1.5, null]}::double precision[],
      ${['a', 'b "c", {d}']}::text[]) as t (at, speed, name)`.execute(database.open.db)
  expect(rows).toEqual([
    { at, speed: 1.5, name: 'a' },
    { at: null, speed: null, name: 'b "c", {d}' },
  ])
})

test('a duplicate row is a unique violation of the named constraint', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const ana = { email: 'ana@example.com' }
  await db.insertInto('users').values(ana).execute()
  const error = await db
    .insertInto('users')
    .values(ana)
    .execute()
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: '23505', constraint: 'users_email_key' })
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'users_email_key')).toBe(true)
  expect(isUniqueViolation(error, 'teams_pkey')).toBe(false)
  expect(isUniqueViolation(new Error('other'))).toBe(false)
})

test('updates and deletes report the number of affected rows', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  await db
    .insertInto('teams')
    .values([{ name: 'One' }, { name: 'Two' }])
    .execute()
  const all = await db.updateTable('teams').set({ name: 'Three' }).executeTakeFirst()
  const none = await db.deleteFrom('teams').where('name', '=', 'Four').executeTakeFirst()
  expect(all.numUpdatedRows).toBe(2n)
  expect(none.numDeletedRows).toBe(0n)
})

test('a failed transaction is rolled back and frees its connection', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const attempt = db.transaction().execute(async trx => {
    await trx.insertInto('teams').values({ name: 'Half' }).execute()
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  expect(await db.selectFrom('teams').selectAll().execute()).toEqual([])
})

test('a transaction whose error was swallowed does not report a commit', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const attempt = db.transaction().execute(async trx => {
    await trx.insertInto('teams').values({ name: 'Half' }).execute()
    await sql`select 1 / 0`.execute(trx).catch(() => undefined)
  })
  await expect(attempt).rejects.toMatchObject({ code: '25P02' })
  expect(await db.selectFrom('teams').selectAll().execute()).toEqual([])
})

test('concurrent transactions are isolated', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const names = Array.from({ length: 12 }, (_, n) => `Team ${n}`)
  const attempts = names.map((name, n) =>
    db.transaction().execute(async trx => {
      for (const part of ['a', 'b', 'c'])
        await trx
          .insertInto('teams')
          .values({ name: `${name} ${part}` })
          .execute()
      if (n % 2) throw new Error('odd ones fail')
    }),
  )
  const inserts = names.map(name => db.insertInto('teams').values({ name }).execute())
  await Promise.allSettled(attempts)
  await Promise.all(inserts)

  const teams = await db.selectFrom('teams').select('name').orderBy('name').execute()
  const committed = names
    .filter((_, n) => n % 2 === 0)
    .flatMap(name => ['a', 'b', 'c'].map(part => `${name} ${part}`))
  expect(teams.map(team => team.name)).toEqual(expect.arrayContaining([...names, ...committed]))
  expect(teams).toHaveLength(names.length + committed.length)
})

test('ping works while open, fails when closed, and closing twice is harmless', async () => {
  await using database = await testDatabase()
  await expect(database.open.ping()).resolves.toBeUndefined()
  await Promise.all([database.open.close(), database.open.close()])
  await expect(database.open.ping()).rejects.toThrow(/closed|destroyed/)
})
