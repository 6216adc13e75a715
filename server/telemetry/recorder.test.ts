import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { idsAround, waitingFor } from '#testing/database/sessionLocks.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { liveScene } from '#testing/live/liveScene.ts'
import { systemClock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { beginDeletion } from './deletePositions.ts'
import { Recorder } from './recorder.ts'

const fix = { at: Date.now(), la: 50.4372, lo: 5.9714, v: 187, ac: 4 }

test('pending fixes are stored together, and every caller is notified (F2)', async () => {
  await using database = await testDatabase()
  const recorder = new Recorder(database.open, createLog('silent'), systemClock)
  const session = randomUUID()
  recorder.record(session, fix, fix.at)
  const first = recorder.flush()
  recorder.record(session, { ...fix, at: fix.at + 1 }, fix.at + 1)

  expect(recorder.flush()).toBe(first)
  expect(recorder.counts).toEqual({ recorded: 2, queued: 2 })
  expect(await first).toBe(true)
  expect(recorder.counts).toEqual({ recorded: 2, queued: 0 })
  expect(recorder.storedUpTo).toBe(2)
  expect(recorder.latest(session)).toBeUndefined()
  await recorder.close()
})

test('fixes are retried while the database fails; a full queue drops the oldest', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const recorder = new Recorder(database.open, createLog('silent'), systemClock)
  await sql`alter table sessions rename to sessions_away`.execute(db)
  const [first, second] = [randomUUID(), randomUUID()]
  recorder.record(first, fix, fix.at)

  expect(await recorder.flush()).toBe(false)
  expect(recorder.counts).toEqual({ recorded: 1, queued: 1 })
  expect(recorder.storedUpTo).toBe(0)
  expect(recorder.latest(first)).toBeDefined()
  for (let n = 0; n < 200_000; n++) recorder.record(second, fix, fix.at)
  expect(recorder.counts).toEqual({ recorded: 200_001, queued: 199_001 })
  expect(recorder.latest(first)).toBeUndefined()
  expect(recorder.latest(second)).toBeDefined()

  await sql`alter table sessions_away rename to sessions`.execute(db)
  expect(await recorder.flush()).toBe(true)
  expect(recorder.counts.queued).toBe(0)
  expect({ written: recorder.storedUpTo, dropped: recorder.dropped }).toEqual({
    written: 200_001,
    dropped: 1000,
  })
  await recorder.close()
})

test('fixes received before a session ended elsewhere are stored, later ones not', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session } = stint
  const endedAt = Date.now()
  for (const at of [endedAt - 1, endedAt + 1]) recorder.record(session, { ...fix, at }, at)
  await sql`update sessions set status = 'Complete', date_ended = ${new Date(endedAt)}
    where id = ${session}`.execute(database.db)

  expect(await recorder.flush()).toBe(true)
  recorder.record(session, { ...fix, at: endedAt + 2 }, endedAt + 2)
  expect(await recorder.flush()).toBe(true)
  expect(await positionsOf(database, session)).toEqual([endedAt - 1])
})

test('fixes buffered before a deletion are not stored (F9)', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session, driver } = stint
  const receivedAt = Date.now() - 1
  // The phone's clock is ahead.
  recorder.record(session, { ...fix, at: receivedAt + 3000 }, receivedAt)
  await beginDeletion(database.db, { userId: driver, now: Date.now() })

  expect(await recorder.flush()).toBe(true)
  expect(await positionsOf(database, session)).toEqual([])
  const place = () =>
    database.db
      .selectFrom('newest_fixes')
      .select(['latitude', 'longitude', 'speed'])
      .where('session_id', '=', session)
      .executeTakeFirst()
  expect(await place()).toEqual({ latitude: null, longitude: null, speed: null })

  const later = Date.now() + 1000
  recorder.record(session, { ...fix, at: later }, later)
  expect(await recorder.flush()).toBe(true)
  expect(await positionsOf(database, session)).toEqual([later])
  expect(await place()).toEqual({ latitude: fix.la, longitude: fix.lo, speed: fix.v })
})

test('fixes that were stored before are stored once, and do not delay new ones', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session } = stint
  const store = (...times: number[]) => {
    for (const n of times) recorder.record(session, { ...fix, at: fix.at + n }, fix.at)
    return recorder.flush()
  }
  for (const times of [[0, 1, 2], [1, 2], [1, 3], [4]]) expect(await store(...times)).toBe(true)
  expect(await positionsOf(database, session)).toEqual([0, 1, 2, 3, 4].map(n => fix.at + n))
})

test('a repeated fix counts as a contact only (F4)', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session } = stint
  const { session: other } = await stint.scene.newSession()
  for (const second of [0, 1, 2]) {
    const contactAt = fix.at + second * 1000
    recorder.record(session, fix, contactAt)
    recorder.record(other.id, { ...fix, at: contactAt }, contactAt)
    expect(await recorder.flush()).toBe(true)
    expect(await contactsOf(database, [session, other.id])).toEqual([contactAt, contactAt])
  }
  expect(await positionsOf(database, session)).toEqual([fix.at])
  expect(recorder.storedUpTo).toBe(recorder.counts.recorded)
})

test('a repeated fix that another node stored first is stored once', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session } = stint
  const elsewhere = new Recorder(database, createLog('silent'), systemClock)
  for (const each of [recorder, elsewhere]) {
    each.record(session, fix, fix.at)
    expect(await each.flush()).toBe(true)
  }
  expect(await positionsOf(database, session)).toEqual([fix.at])
  await elsewhere.close()
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'fixes are stored after a deadlock with another node',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    const [higher, lower] = idsAround(randomUUID())
    for (const id of [higher, lower]) await pastSession(db, id)
    const recorder = new Recorder(database.open, createLog('silent'), systemClock)
    for (const id of [lower, higher]) recorder.record(id, fix, fix.at)
    const lock = (trx: Kysely<Tables>, id: string) =>
      sql`select from newest_fixes where session_id = ${id} for no key update`.execute(trx)
    // A connection looks for a deadlock once: when it has waited for this long. By default after a second, in which a
    // busy machine may not begin both waits.
    await Promise.all(
      Array.from({ length: 10 }, () =>
        sql`select set_config('deadlock_timeout', '5s', false), pg_sleep(0.3)`.execute(db),
      ),
    )
    const { storing } = await db.transaction().execute(async trx => {
      // The other transaction notices the deadlock first.
      await sql`set local deadlock_timeout = '1min'`.execute(trx)
      await lock(trx, higher)
      const storing = recorder.flush()
      await expect.poll(() => waitingFor(db)).toBe(1)
      await lock(trx, lower)
      return { storing }
    })
    expect(await storing).toBe(false)
    expect(await recorder.flush()).toBe(true)
    const stored = await db.selectFrom('positions').select('session_id').execute()
    expect(stored).toHaveLength(2)
    await recorder.close()
  },
)

test('a dropped fix is stored when it is repeated (F8)', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session } = stint
  recorder.record(session, fix, fix.at)
  const unknown = randomUUID()
  for (let n = 0; n < 200_000; n++) recorder.record(unknown, fix, fix.at)
  expect(recorder.dropped).toBe(1000)
  recorder.record(session, fix, fix.at + 1000)
  expect(await recorder.flush()).toBe(true)
  expect(await positionsOf(database, session)).toEqual([fix.at])
})

test('an error of the listener is logged, and later fixes are stored', async () => {
  await using stint = await recordedStint()
  const { database, session } = stint
  const lines: Record<string, unknown>[] = []
  const log = createLog('error', { write: line => lines.push(JSON.parse(line)) })
  const recorder = new Recorder(database, log, systemClock, () => {
    throw new Error('broken')
  })
  for (const at of [fix.at, fix.at + 1]) {
    recorder.record(session, { ...fix, at }, at)
    expect(await recorder.flush()).toBe(true)
  }
  expect(lines).toMatchObject([1, 2].map(() => ({ err: { message: 'broken' }, fixes: 1 })))
  expect(await positionsOf(database, session)).toEqual([fix.at, fix.at + 1])
  expect(recorder.storedUpTo).toBe(2)
  await recorder.close()
})

test('a dropped partition is created again, and no fix of it is lost', async () => {
  await using stint = await recordedStint()
  const { database, recorder, session } = stint
  recorder.record(session, fix, fix.at)
  expect(await recorder.flush()).toBe(true)
  await sql`select drop_positions_before('9999-12-31')`.execute(database.db)

  recorder.record(session, { ...fix, at: fix.at + 1 }, fix.at + 1)
  expect(await recorder.flush()).toBe(false)
  expect(await recorder.flush()).toBe(true)
  expect(await positionsOf(database, session)).toEqual([fix.at + 1])
})

test('the log names the session and time of a fix that the database refuses', async () => {
  await using stint = await recordedStint()
  const { database, session } = stint
  const lines: Record<string, unknown>[] = []
  const log = createLog('error', { write: line => lines.push(JSON.parse(line)) })
  const recorder = new Recorder(database, log, systemClock)
  await sql`alter table positions add constraint refused check (speed < 400)`.execute(database.db)
  for (const n of [0, 1, 2])
    recorder.record(session, { ...fix, at: fix.at + n, v: n === 1 ? 400 : 187 }, fix.at + n)

  expect(await recorder.flush()).toBe(true)
  expect(lines).toMatchObject([{ sessionId: session, at: fix.at + 1 }])
  expect(await positionsOf(database, session)).toEqual([fix.at, fix.at + 2])
  await recorder.close()
})

// The embedded database runs one statement at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'two statements store fixes at once, and only those of a failed one are kept',
  async () => {
    await using stint = await recordedStint()
    const { database, recorder, session } = stint
    const { db } = database
    const { session: failing } = await stint.scene.newSession()
    await sql`create function refuse_failing() returns trigger language plpgsql as
      'begin raise exception ''away'' using errcode = ''57P03''; end'`.execute(db)
    await sql`create trigger refuse_failing before update on newest_fixes for each row
      when (new.session_id = ${sql.lit(failing.id)}) execute function refuse_failing()`.execute(db)
    const times = Array.from({ length: 250 }, (_, n) => fix.at + n)
    for (const at of times)
      for (const id of [failing.id, session]) recorder.record(id, { ...fix, at }, at)

    expect(await recorder.flush()).toBe(false)
    expect(recorder.counts).toEqual({ recorded: 500, queued: 250 })
    expect(recorder.storedUpTo).toBe(0)
    expect(await positionsOf(database, session)).toEqual(times)
    expect(await positionsOf(database, failing.id)).toEqual([])
    expect(recorder.latest(session)).toBeUndefined()
    expect(recorder.latest(failing.id)).toBeDefined()

    await sql`drop function refuse_failing cascade`.execute(db)
    expect(await recorder.flush()).toBe(true)
    expect(recorder.storedUpTo).toBe(500)
    expect(await positionsOf(database, failing.id)).toEqual(times)
  },
)

/** Starts an active session and a recorder that writes nothing else. */
async function recordedStint() {
  const scene = await liveScene()
  const { session } = await scene.newSession()
  const { database } = scene.app
  const recorder = new Recorder(database, createLog('silent'), systemClock)
  return {
    scene,
    database,
    recorder,
    session: session.id,
    driver: session.driver.id,
    async [Symbol.asyncDispose]() {
      await recorder.close()
      await scene[Symbol.asyncDispose]()
    },
  }
}

async function contactsOf({ db }: Database, sessions: string[]): Promise<(number | undefined)[]> {
  const rows = await db
    .selectFrom('newest_fixes')
    .select('last_driver_contact')
    .where('session_id', 'in', sessions)
    .execute()
  return rows.map(row => row.last_driver_contact?.getTime())
}

async function positionsOf({ db }: Database, session: string): Promise<number[]> {
  const rows = await db
    .selectFrom('positions')
    .select('at')
    .where('session_id', '=', session)
    .orderBy('at')
    .execute()
  return rows.map(({ at }) => at.getTime())
}
