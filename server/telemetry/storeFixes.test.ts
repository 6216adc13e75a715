import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { newDatabase, testDatabase } from '#testing/database/database.ts'
import { expectLockedInOrder, idsAround } from '#testing/database/sessionLocks.ts'
import type { Tables } from '../db/schema/tables.ts'
import { Days } from './days.ts'
import { storeFixes } from './storeFixes.ts'

test('storing the newest fixes updates sessions without index writes', async () => {
  await using database = await newDatabase()
  const { db } = database.open
  await new Days(db).make([Date.now()])
  const { rows: sessions } = await sql<{ id: string }>`
    with driver as (
      insert into users (email, first_name, last_name) values ('leo@example.com', 'Leo', 'Brandt')
      returning id
    ), added as (
      insert into teams (name) select 'Team ' || n from generate_series(1, 300) n returning id
    )
    insert into sessions (team_id, user_id, name)
    select added.id, driver.id, 'Stint 1' from added, driver
    returning id`.execute(db)
  const inPlace = (at: number) =>
    db.transaction().execute(async trx => {
      const before = await updatesInPlace(trx)
      const fix = { at, la: 50.4372, lo: 5.9714, v: 187, ac: 4 }
      await storeFixes(
        trx,
        sessions.map(({ id }) => ({ session: id, fix, contactAt: at })),
      )
      return (await updatesInPlace(trx)) - before
    })
  expect(await inPlace(Date.now())).toBe(300)
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'fixes lock their sessions in the order of their ids',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    await new Days(db).make([Date.now()])
    const ids = idsAround(randomUUID())
    for (const id of ids)
      await sql`
      with driver as (
        insert into users (email, first_name, last_name) values (${id}, 'Leo', 'Brandt')
        returning id
      ), team as (
        insert into teams (name) values ('Team') returning id
      )
      insert into sessions (id, team_id, user_id, name)
      select ${id}, team.id, driver.id, 'Stint 1' from team, driver`.execute(db)
    const at = Date.now()
    const received = ids.map(session => ({
      session,
      fix: { at, la: 50.4372, lo: 5.9714, v: 187, ac: 4 },
      contactAt: at,
    }))
    // The plan for many sessions: it reads the table instead of looking up each id.
    const store = () =>
      db.transaction().execute(async trx => {
        await sql`set local enable_nestloop = off`.execute(trx)
        return storeFixes(trx, received)
      })
    expect(await expectLockedInOrder(db, ids, store)).toBe(true)
  },
)

/** Exact within a transaction; the statistics of the table are written later. */
async function updatesInPlace(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select pg_stat_get_xact_tuples_hot_updated('sessions'::regclass)::int as count`.execute(trx)
  return rows[0]?.count ?? Number.NaN
}
