import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase } from '#testing/database/database.ts'

const folder = new URL('migrations/', import.meta.url)
const file = '0031_lap_marks.sql'

test('a lap that was yellow names the first FCY or SC message during it', async () => {
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
    insert into sessions (id, team_id, user_id, name) values ('${id}', '${id}', '${id}', 'Stint');
    insert into messages (session_id, version, command_id, type, sent_by, pressed_at, sent_at)
    select '${id}', version, gen_random_uuid(), type, '${id}', sent_at::timestamptz, sent_at::timestamptz
    from (values
      (1, 'Push', '2026-05-02 14:00:30Z'), (2, 'SC', '2026-05-02 14:03:30Z'),
      (3, 'FCY', '2026-05-02 14:04:30Z'), (4, null, '2026-05-02 14:06:30Z')
    ) m (version, type, sent_at);
    insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen, yellow)
    select '${id}', n, '2026-05-02 14:00Z'::timestamptz + n * interval '100 seconds', 100000, 200, 'full', true,
      n between 2 and 3
    from generate_series(0, 4) n;
  `)
    .execute(db)

  await run(file)

  const laps = await db.selectFrom('laps').selectAll().orderBy('number').execute()
  expect(laps.map(lap => [lap.yellow_message, lap.marked])).toEqual([
    [null, false],
    [null, false],
    ['SC', false],
    ['FCY', false],
    [null, false],
  ])
})
