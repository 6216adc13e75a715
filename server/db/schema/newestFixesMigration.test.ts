import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase } from '#testing/database/database.ts'

const folder = new URL('migrations/', import.meta.url)
const file = '0056_newest_fixes.sql'

test('sessions keep their newest fix, and new ones have none', async () => {
  await using database = await emptyDatabase()
  const { db } = database.open
  const run = async (name: string) =>
    sql.raw(await readFile(new URL(name, folder), 'utf8')).execute(db)
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  for (const name of files.filter(each => each < file)) await run(name)
  const id = '00000000-0000-4000-8000-00000000000a'
  await sql
    .raw(`
    insert into users (id, email) values ('${id}', 'ana@example.com');
    insert into teams (id, name) values ('${id}', 'Night Owls');
    insert into sessions (
      id, team_id, user_id, name, status, speed, latitude, longitude, last_driver_contact
    )
    values ('${id}', '${id}', '${id}', 'First', 'Complete', 187, 50.4, 5.9, '2026-05-02 14:00Z');
  `)
    .execute(db)

  await run(file)

  await db.insertInto('sessions').values({ team_id: id, user_id: id, name: 'Second' }).execute()
  const shown = await db
    .selectFrom('sessions_view')
    .select(['name', 'speed', 'latitude', 'longitude', 'last_driver_contact'])
    .orderBy('name')
    .execute()
  const at = new Date('2026-05-02T14:00Z')
  expect(shown).toEqual([
    { name: 'First', speed: 187, latitude: 50.4, longitude: 5.9, last_driver_contact: at },
    { name: 'Second', speed: null, latitude: null, longitude: null, last_driver_contact: null },
  ])
  await db.deleteFrom('sessions').execute()
  expect(await db.selectFrom('newest_fixes').selectAll().execute()).toEqual([])
})
