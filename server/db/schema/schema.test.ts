import { type Kysely, sql, type Updateable } from 'kysely'
import { expect, test } from 'vitest'
import { maxNameLetters, topSpeedKmh } from '#contract/shared/bounds.ts'
import { longestExpiryS, shortestExpiryS } from '#contract/shared/messageExpiry.ts'
import { testDatabase } from '#testing/database/database.ts'
import type { Tables } from './tables.ts'

// spec: EN-4 EN-5 EN-6 CA-8
test('create_team creates a team with its first member, who sees it in the views', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const ana = await addUser(db, 'Ana')
  const leo = await addUser(db, 'Leo')
  const team = await createTeam(db, 'Night Owls', ana)

  expect(
    await db.selectFrom('teams_view').selectAll().where('user_id', '=', ana).execute(),
  ).toEqual([{ id: team, name: 'Night Owls', owner_id: ana, user_id: ana, role: 'member' }])
  expect(
    await db.selectFrom('teams_view').selectAll().where('user_id', '=', leo).execute(),
  ).toEqual([])
  expect(await db.selectFrom('team_users_view').selectAll().execute()).toEqual([
    {
      team_id: team,
      id: ana,
      first_name: 'Ana',
      last_name: null,
      email: 'ana@example.com',
      role: 'member',
    },
  ])
  expect(await db.selectFrom('team_access').select(['team_id', 'user_id']).execute()).toEqual([
    { team_id: team, user_id: ana },
  ])
})

test('the database accepts the speeds, names and expiries that the contract accepts', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  await addSession(db, await addUser(db, 'Ana'))
  const change = (values: Updateable<Tables['sessions']>) =>
    db.updateTable('sessions').set(values).execute()
  const setSpeed = (speed: number) => db.updateTable('newest_fixes').set({ speed }).execute()
  await change({ expire_after_s: shortestExpiryS, name: 'a' })
  await change({ expire_after_s: longestExpiryS, name: 'a'.repeat(maxNameLetters) })
  await setSpeed(0)
  await setSpeed(topSpeedKmh)
  for (const outside of [-1, topSpeedKmh + 1])
    await expect(setSpeed(outside)).rejects.toThrow('check constraint')
  for (const outside of [
    { expire_after_s: shortestExpiryS - 1 },
    { expire_after_s: longestExpiryS + 1 },
    { name: ' ' },
    { name: 'a'.repeat(maxNameLetters + 1) },
  ])
    await expect(change(outside)).rejects.toThrow('check constraint')
})

// spec: EN-1 EN-2
test('sessions_view shows the driver and only the newest message', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const ana = await addUser(db, 'Ana')
  const session = await addSession(db, ana)
  const at = new Date('2026-05-01T12:00:00Z')
  for (const [version, type] of [
    [1, 'Pit'],
    [2, 'Go'],
  ] as const)
    await db
      .insertInto('messages')
      .values({
        session_id: session,
        version,
        command_id: crypto.randomUUID(),
        type,
        sent_by: ana,
        pressed_at: at,
        sent_at: at,
      })
      .execute()
  await db.updateTable('sessions').set({ message_type: 'Go', message_version: 2 }).execute()

  const seen = await db.selectFrom('sessions_view').selectAll().execute()
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({
    id: session,
    status: 'Active',
    message_type: 'Go',
    message_version: 2,
    driver_first_name: 'Ana',
    driver_email: 'ana@example.com',
    sent_by: ana,
    sent_at: at,
    shown_at: null,
  })
})

test('a driver has at most one active session in a team', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const ana = await addUser(db, 'Ana')
  await addSession(db, ana)
  const { team_id } = await db.selectFrom('sessions').select('team_id').executeTakeFirstOrThrow()
  const second = db
    .insertInto('sessions')
    .values({ team_id, user_id: ana, name: 'Again' })
    .execute()
  await expect(second).rejects.toMatchObject({ constraint: 'sessions_one_active_per_driver' })
})

async function addUser(db: Kysely<Tables>, name: string): Promise<string> {
  const user = { first_name: name, email: `${name.toLowerCase()}@example.com` }
  const row = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return row.id
}

async function createTeam(db: Kysely<Tables>, name: string, userId: string): Promise<string> {
  const { rows } = await sql<{ id: string; name: string }>`
    select * from create_team(${name}, ${userId})`.execute(db)
  expect(rows).toEqual([{ id: expect.any(String), name }])
  return rows[0]!.id
}

async function addSession(db: Kysely<Tables>, userId: string): Promise<string> {
  const team_id = await createTeam(db, 'Night Owls', userId)
  const session = { team_id, user_id: userId, name: 'Spa' }
  const row = await db
    .insertInto('sessions')
    .values(session)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
