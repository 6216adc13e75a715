import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { testDatabase } from '#testing/database/database.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { patience } from '#testing/patience.ts'
import type { Database } from '../db/database.ts'
import { Days, deleteOldDays, makeDaysAhead } from './days.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('fixes of yesterday and today are stored in separate partitions', async () => {
  const { session } = await scene.newSession()
  const { db } = scene.app.database
  await startedAt(session.id, Date.now() - 3 * dayMs)
  const times = [Date.now() - 2 * dayMs, Date.now() - 1000]
  await scene.leo.call.sessions.storeFixes({ sessionId: session.id, fixes: times.map(bufferedFix) })

  const { rows } = await sql<{ part: string }>`
    select tableoid::regclass::text as part from positions
    where session_id = ${session.id} order by at`.execute(db)
  expect(rows.map(({ part }) => part)).toEqual(times.map(partOf))
})

test('a fix older than a month, or than the history, is not stored', async () => {
  const { session } = await scene.newSession()
  await startedAt(session.id, Date.now() - 100 * dayMs)
  const fixes = [31, 29].map(days => bufferedFix(Date.now() - days * dayMs))
  expect(await scene.leo.call.sessions.storeFixes({ sessionId: session.id, fixes })).toEqual({
    stored: 1,
    refused: [{ at: fixes[0]?.at, reason: 'too-old' }],
  })
})

test('processes may create the same partition concurrently', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  await Promise.all(Array.from({ length: 8 }, () => new Days(db).make([0])))
  await makeDaysAhead(db, Date.now())
  expect(await parts(made.open)).toEqual([0, Date.now(), Date.now() + dayMs].map(partOf))
})

test('partitions older than the history are dropped, others stay', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const kept = [Date.now() - 3 * dayMs, Date.now()]
  await new Days(db).make([0, Date.now() - 4 * dayMs, ...kept])
  expect(await deleteOldDays(db, Date.now(), 3)).toBe(2)
  expect(await parts(made.open)).toEqual(kept.map(partOf))
  expect(await deleteOldDays(db, Date.now(), 3)).toBe(0)
})

test('deleting a session deletes its positions', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const [session, other] = [await bareSession(made.open), await bareSession(made.open)]
  await new Days(db).make([0])
  for (const id of [session, other])
    await sql`insert into positions (session_id, at) values (${id}, ${new Date(0)})`.execute(db)
  await db.deleteFrom('sessions').where('id', '=', session).execute()
  const left = await db.selectFrom('positions').select('session_id').execute()
  expect(left).toEqual([{ session_id: other }])
})

test("deleting a session's history is complete and permanent (F9)", async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(scene.ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const kept = Date.now()
  // One fix in the write queue, one stored.
  car.send(fix({ at: kept - 2 }))
  await expect.poll(() => stored(session.id), { timeout: 15_000 * patience }).toBe(1)
  car.send(fix({ at: kept - 1 }))
  await car.roundTrip()

  const answer = await scene.leo.call.sessions.deletePositions({ sessionId: session.id })

  expect(answer).toEqual({ deleted: 2, continues: false })
  const { session: changed } = await pit.next('session-changed')
  expect(changed).toMatchObject({ latitude: null, longitude: null, speedKmh: null })
  const again = { sessionId: session.id, fixes: [bufferedFix(kept)] }
  expect(await scene.leo.call.sessions.storeFixes(again)).toMatchObject({ stored: 0 })
  car.send(fix({ at: Date.now() + 1 }))
  await expect.poll(() => stored(session.id), { timeout: 15_000 * patience }).toBe(1)

  await scene.leo.call.sessions.end({ sessionId: session.id })
  expect(await scene.leo.call.sessions.deletePositions({ sessionId: session.id })).toEqual({
    deleted: 1,
    continues: false,
  })
})

test('a driver deletes all their positions, also of teams left, and no others', async () => {
  const mine = [await scene.newSession(), await scene.newSession()]
  const { team, session } = await scene.newSession()
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const hers = await scene.ana.call.sessions.start({ teamId: team.id, name: 'Stint 2' })
  for (const id of mine.map(each => each.session.id))
    await scene.leo.call.sessions.storeFixes({ sessionId: id, fixes: [bufferedFix(Date.now())] })
  await scene.ana.call.sessions.storeFixes({ sessionId: hers.id, fixes: [bufferedFix(Date.now())] })
  await scene.leo.call.teams.leave({ teamId: mine[0]!.team.id })

  const { deleted } = await scene.leo.call.users.deletePositions()

  expect(deleted).toBeGreaterThanOrEqual(2)
  expect(
    await Promise.all([...mine.map(each => stored(each.session.id)), stored(hers.id)]),
  ).toEqual([0, 0, 1])
})

const bufferedFix = (at: number) => ({
  at,
  latitude: 50.4,
  longitude: 5.97,
  speedKmh: 150,
  accuracyM: 4,
})

const partOf = (at: number) =>
  `positions_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`

async function startedAt(session: SessionId, at: number) {
  const { db } = scene.app.database
  await db
    .updateTable('sessions')
    .set({ date_started: new Date(at) })
    .where('id', '=', session)
    .execute()
}

async function stored(session: SessionId): Promise<number> {
  const { db } = scene.app.database
  return (await db.selectFrom('positions').select('at').where('session_id', '=', session).execute())
    .length
}

async function parts({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    select inhrelid::regclass::text as part from pg_inherits
    where inhparent = 'positions'::regclass order by 1`.execute(db)
  return rows.map(({ part }) => part)
}

async function bareSession({ db }: Database): Promise<SessionId> {
  const { rows } = await sql<{ id: string }>`
    with u as (insert into users (email) values (gen_random_uuid()::text) returning id),
      t as (insert into teams (name) values ('Owls') returning id)
    insert into sessions (team_id, user_id, name) select t.id, u.id, 'Stint' from t, u
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}
