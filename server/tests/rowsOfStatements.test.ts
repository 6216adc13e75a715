import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { UserId } from '#contract/ids.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { stoppedClock } from '#testing/clock.ts'
import { countRows } from '#testing/database/countRows.ts'
import { testDatabase } from '#testing/database/database.ts'
import { filesOf } from '../account/exportedFiles.ts'
import { openBlobStore } from '../blobs/blobStore.ts'
import { rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { SilentPhones } from '../notifications/silentPhones.ts'
import { watchOnce } from '../notifications/watchCars.ts'
import { finishDeletions } from '../telemetry/deletePositions.ts'

const many = rowsPerPage + 1

test('an export, and jobs for all teams, read at most a page with a statement', async () => {
  await using made = await testDatabase()
  const { db, most } = countRows(made.open.db)
  const clock = stoppedClock()
  const now = new Date(clock.now())
  const ana = await insertSessions(made.open.db)

  const blobs = openBlobStore({ s3: undefined, dataDir: made.settings.dataDir })
  const exported: Record<string, number> = {}
  for await (const { name, content } of filesOf({ db, blobs }, ana)) {
    let text = ''
    for await (const part of content) text += Buffer.from(part).toString()
    exported[name] = (JSON.parse(text) as unknown[]).length
  }
  expect(exported).toMatchObject({
    'messages-sent.json': many,
    'stints.json': many,
    'fills-entered.json': many,
    'run-corrections.json': many,
  })

  const recorded: string[] = []
  const events = {
    record: ({ kind }: { kind: string }) => void recorded.push(kind),
    recordJoinRequest() {},
  }
  await sql`select make_positions_day(day::date)
    from (values (${now}::timestamptz), (${now}::timestamptz - interval '1 day')) v (day)`.execute(
    made.open.db,
  )
  await sql`
    insert into positions (session_id, at, speed)
    select id, ${now}::timestamptz - ago * interval '1 second', case ago when 40 then 100 else 0 end
    from sessions cross join (values (0), (20), (40)) v (ago)`.execute(made.open.db)
  await sql`
    update newest_fixes set speed = 0, latitude = 50, longitude = 5, last_driver_contact = ${now}`.execute(
    made.open.db,
  )
  await watchOnce({ db, clock, events })
  expect(recorded).toEqual(Array(many).fill('stopped'))

  recorded.length = 0
  const silenceMs = 70_000
  await sql`update newest_fixes set last_driver_contact = ${new Date(clock.now() - silenceMs)}`.execute(
    made.open.db,
  )
  const silences = new Set<string>()
  const silentPhones = new SilentPhones(
    {
      db,
      clock,
      log: createLog('silent'),
      events,
      recorder: { latest: () => undefined },
      publish: (_, event) => {
        if (event.t === 'silent') silences.add(event.session)
      },
    },
    clock.now() - silenceMs,
  )
  await silentPhones.check()
  expect(silences.size).toBe(many)
  expect(recorded).toEqual(Array(many).fill('driver-silent'))

  await sql`insert into position_deletions (session_id, up_to) select id, ${now} from sessions`.execute(
    made.open.db,
  )
  await finishDeletions(db)
  expect(await made.open.db.selectFrom('positions').select('at').execute()).toEqual([])
  expect(most()).toBe(rowsPerPage)
})

/**
 * Inserts more active sessions than a page, each with a message, a stint, a fill and a correction of one person.
 * Returns that person.
 */
async function insertSessions(db: Kysely<Tables>): Promise<UserId> {
  const { id } = await db
    .insertInto('users')
    .values({ email: 'ana@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    with team as (insert into teams (name) values ('Night Owls') returning id),
      driver as (
        insert into drivers (id, team_id, position, name, user_id)
        select gen_random_uuid(), id, 0, 'Ana', ${id}::uuid from team returning id
      ),
      people as (
        insert into users (email)
        select gen_random_uuid() || '@example.com' from generate_series(1, ${many}::int) returning id
      ),
      driven as (
        insert into sessions (team_id, user_id, name)
        select team.id, people.id, 'Stint' from people, team returning id
      ),
      sent as (
        insert into messages (session_id, version, command_id, type, sent_by, pressed_at, sent_at)
        select id, 1, gen_random_uuid(), 'Pit', ${id}::uuid, now(), now() from driven
      ),
      stint as (
        insert into stints (session_id, id, driver_id, from_at)
        select driven.id, driven.id, driver.id, now() from driven, driver
      ),
      lap as (
        insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen)
        select id, 1, now(), 90000, 100, 'full', true from driven
      ),
      car as (
        insert into cars (id, team_id, position, number)
        select gen_random_uuid(), id, 0, '7' from team returning id, team_id
      ),
      race as (
        insert into races (id, team_id, name, length_ms, rules, created_at)
        select gen_random_uuid(), id, '4 h', 14400000, ${JSON.stringify(noRules)}::jsonb, now() from team
        returning id
      ),
      correction as (
        insert into run_corrections (race_id, car_id, id, decisions, decided_by, decided_at)
        select race.id, car.id, gen_random_uuid(), '[]', ${id}::uuid, now() from race, car, driven
      )
    insert into fills (session_id, id, at, litres, kind, entered_by)
    select id, gen_random_uuid(), now(), 40, 'full', ${id}::uuid from driven`.execute(db)
  return id
}
