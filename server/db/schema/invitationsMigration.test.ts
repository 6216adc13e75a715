import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase } from '#testing/database/database.ts'

const folder = new URL('migrations/', import.meta.url)

test('members who never signed in become invitations, and teams get an owner', async () => {
  await using database = await emptyDatabase()
  const { db } = database.open
  const run = async (file: string) =>
    sql.raw(await readFile(new URL(file, folder), 'utf8')).execute(db)
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
  for (const file of files.filter(name => name < '0008')) await run(file)
  await sql
    .raw(`
    insert into users (id, email, first_name, last_name, signed_in_at) values
      ('00000000-0000-4000-8000-000000000001', 'ana@example.com', 'Ana', 'Prost', now()),
      ('00000000-0000-4000-8000-000000000002', 'leo@example.com', 'Leo', 'Sommer', now()),
      ('00000000-0000-4000-8000-000000000003', 'noor@example.com', 'Noor', 'Haddad', null);
    insert into teams (id, name) values ('00000000-0000-4000-8000-00000000000a', 'Night Owls');
    insert into team_access (team_id, user_id, created_at) values
      ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-000000000003', '2025-01-01'),
      ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-000000000002', '2026-02-02'),
      ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-000000000001', '2026-01-01');
  `)
    .execute(db)

  await run('0009_invitations.sql')

  const members = await db.selectFrom('team_access').select('user_id').orderBy('user_id').execute()
  expect(members.map(({ user_id }) => user_id.at(-1))).toEqual(['1', '2'])
  expect(await db.selectFrom('users').select('email').orderBy('email').execute()).toEqual([
    { email: 'ana@example.com' },
    { email: 'leo@example.com' },
  ])
  const [invitation] = await db.selectFrom('invitations').selectAll().execute()
  expect(invitation).toMatchObject({
    email: 'noor@example.com',
    first_name: 'Noor',
    last_name: 'Haddad',
    invited_by: null,
  })
  expect(invitation?.expires_at.getTime()).toBeGreaterThan(Date.now())
  const team = await db.selectFrom('teams').select('owner_id').executeTakeFirstOrThrow()
  expect(team.owner_id?.at(-1)).toBe('1')
})
