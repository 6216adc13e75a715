import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { newDatabase } from '#testing/database/database.ts'
import { openDatabase } from '../engines/open.ts'
import { clearIfRestored } from './clearIfRestored.ts'
import type { Tables } from './tables.ts'

test('a start on the same data clears nothing', async () => {
  // A copy of a migrated database has the same object ids.
  await using database = await newDatabase()
  const { db } = database.open
  await addSession(db)
  expect(await start(db)).toEqual([])
  expect(await messagesIn(db)).toEqual([])
})

test.each([
  ['a dump on the same server', { table_oid: 1 }],
  ['a dump from another server', { server_id: 1 }],
])('the first start after the restore of %s clears active sessions', async (_, changed) => {
  await using database = await newDatabase()
  const { db } = database.open
  await addSession(db)
  await db.updateTable('database_identity').set(changed).execute()
  expect(await start(db)).toEqual([{ sessions: 1 }])
  expect(await start(db)).toEqual([])
  expect(await messagesIn(db)).toEqual([{ type: null, sent_by: null }])
})

test('of nodes that start together, one clears', async ({ skip }) => {
  await using database = await newDatabase()
  const { db, engine } = database.open
  skip(engine === 'embedded', 'the embedded database has one process')
  await addSession(db)
  await db.updateTable('database_identity').set({ table_oid: 1 }).execute()
  const nodes = await Promise.all([1, 2, 3, 4].map(() => openDatabase(database.settings)))
  const cleared = await Promise.all(nodes.map(node => start(node.db)))
  await Promise.all(nodes.map(node => node.close()))
  expect(cleared.flat()).toEqual([{ sessions: 1 }])
  expect(await messagesIn(db)).toHaveLength(1)
})

test('a restore that was cleared by hand is not cleared again', async () => {
  await using database = await newDatabase()
  const { db } = database.open
  await addSession(db)
  await db.updateTable('database_identity').set({ table_oid: 1, server_id: 1 }).execute()
  await sql`select clear_after_restore()`.execute(db)
  expect(await start(db)).toEqual([])
  expect(await messagesIn(db)).toHaveLength(1)
})

/** Returns the fields of the logged warnings. */
async function start(db: Kysely<Tables>) {
  const warnings: unknown[] = []
  await clearIfRestored(db, { warn: (fields: unknown) => void warnings.push(fields) })
  return warnings
}

async function addSession(db: Kysely<Tables>) {
  const id = crypto.randomUUID()
  await db.insertInto('users').values({ id, email: 'leo@example.com' }).execute()
  await db.insertInto('teams').values({ id, name: 'Night Owls' }).execute()
  const session = { team_id: id, user_id: id, name: 'Spa', message_type: 'Pit' } as const
  await db
    .insertInto('sessions')
    .values({ ...session, message_version: 7 })
    .execute()
}

function messagesIn(db: Kysely<Tables>) {
  return db.selectFrom('messages').select(['type', 'sent_by']).execute()
}
