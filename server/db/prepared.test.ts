import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { prepared } from './prepared.ts'
import type { Tables } from './schema/tables.ts'

test('a marked statement has the same parameter and result types as any other', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const now = new Date()
  const values = sql`select ${now}::timestamptz as at, ${Buffer.from([0, 255])}::bytea as bytes,
    ${['a', 'b,"']}::text[] as texts, ${true}::boolean as flag, ${5}::bigint as count`
  const { rows } = await values.execute(db)
  expect(rows).toMatchObject([{ at: now, texts: ['a', 'b,"'], flag: true, count: 5 }])
  const marked = await sql`${prepared} ${values}`.execute(db)
  expect(marked.rows).toEqual(rows)
})

test('a marked statement reports the number of changed rows', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const add = (name: string) =>
    sql`${prepared} insert into teams (name) values (${name}), (${name})`.execute(db)
  expect((await add('A')).numAffectedRows).toBe(2n)
  expect((await add('B')).numAffectedRows).toBe(2n)
})

test('a marked statement can fail, and run again', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const divide = async (by: number) => {
    const { rows } = await sql<{
      result: number
    }>`${prepared} select 6 / ${by}::int as result`.execute(db)
    return rows[0]?.result
  }
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect(await divide(3)).toBe(2)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  const missing = sql`${prepared} select ${1}::int from missing`.execute(db)
  await expect(missing).rejects.toMatchObject({ code: '42P01' })
  expect(await divide(2)).toBe(3)
})

test('a marked statement in a transaction that failed is rolled back', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const add = (trx: Kysely<Tables>, name: string) =>
    sql`${prepared} insert into teams (name) values (${name})`.execute(trx)
  await add(db, 'First')
  const failing = db.transaction().execute(async trx => {
    await add(trx, 'Second')
    await add(trx, '')
  })
  await expect(failing).rejects.toMatchObject({ code: '23514' })
  await add(db, 'Third')
  const teams = await db.selectFrom('teams').select('name').orderBy('created_at').execute()
  expect(teams.map(({ name }) => name)).toEqual(['First', 'Third'])
})
