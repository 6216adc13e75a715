import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { RaceId, SessionId } from '#contract/ids.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { countRows } from '#testing/database/countRows.ts'
import { testDatabase } from '#testing/database/database.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { raceOfSession, raceSessions } from './raceOfSession.ts'

const hourMs = 60 * 60_000
const lapMs = 6000
const maxLaps = storedBounds.laps.max

/** An active session of a car whose earlier sessions in the running race have as many laps as they may have. */
async function sceneOf(db: Kysely<Tables>, earlier: number) {
  const { sessionId, userId, startMs } = await pastSession(db)
  const own = () => raceSessions(db).where('sessions.id', '=', sessionId).executeTakeFirstOrThrow()
  const { team_id: teamId } = await own()
  const carId = randomUUID()
  const raceId: RaceId = randomUUID()
  await db
    .insertInto('cars')
    .values({ id: carId, team_id: teamId, number: '17', position: 0 })
    .execute()
  const firstMs = startMs - earlier * 10 * hourMs
  await db
    .insertInto('races')
    .values({
      id: raceId,
      team_id: teamId,
      name: 'Zolder 24 hours',
      length_ms: 24 * hourMs,
      length_laps: null,
      rules: JSON.stringify({ ...noRules, maxStintMs: hourMs / 2 }),
      pauses: '[]',
      created_at: new Date(firstMs),
      started_at: new Date(firstMs),
    })
    .execute()
  const ofRace = { race_id: raceId, car_id: carId }
  await db.updateTable('sessions').set(ofRace).where('id', '=', sessionId).execute()
  const ids: SessionId[] = []
  for (let n = 0; n < earlier; n++) {
    const id = randomUUID()
    ids.push(id)
    const from = firstMs + n * 10 * hourMs
    const times = { date_started: new Date(from), date_ended: new Date(from + 9 * hourMs) }
    const session = { id, team_id: teamId, user_id: userId, name: `Stint ${n}` }
    await db
      .insertInto('sessions')
      .values({ ...session, ...ofRace, ...times, status: 'Complete' })
      .execute()
    await addLaps(db, id, { fromMs: from, count: maxLaps })
  }
  return { db, own, ids, startMs }
}

function addLaps(
  db: Kysely<Tables>,
  id: SessionId,
  { fromMs, count }: { fromMs: number; count: number },
) {
  return sql`
    insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen, marked)
    select ${id}::uuid, n, ${new Date(fromMs)}::timestamptz + n * ${lapMs}::float8 * interval '1 millisecond',
      ${lapMs}::int, 100, 'full', true, false
    from generate_series(0, ${count}::int - 1) n`.execute(db)
}

test('a statement about the race of a session reads the laps of one session at most', async () => {
  await using database = await testDatabase()
  const { own, startMs } = await sceneOf(database.open.db, 3)
  const counted = countRows(database.open.db)
  const race = await raceOfSession(counted.db, await own(), startMs + hourMs)
  expect(race.earlierLaps).toBe(maxLaps)
  expect(counted.most()).toBe(maxLaps)
})
