import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import { timed } from '#testing/live/timedSession.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { LapKeeper } from './lapKeeper.ts'
import { storedLaps } from './storedLaps.ts'
import { storeUpToDate } from './storeUpToDate.ts'

/** Two sessions with two laps, of which one fails from now on when its laps are stored. */
async function soundAndBroken(db: Kysely<Tables>) {
  const clock = steppedClock()
  const published: string[] = []
  const keeper = new LapKeeper({
    db,
    log: createLog('silent'),
    clock,
    live: { publish: (room, { t }) => void published.push(`${t} in ${room}`) },
  })
  const [sound, broken] = [await pastSession(db), await pastSession(db)]
  const pass = async () => {
    clock.pass(2000)
    await keeper.idle()
  }
  /** Stores fixes of both sessions, and returns those of the broken one. */
  const store = async (from: number, to?: number) => {
    let stored: Fix[] = []
    for (const { sessionId, startMs } of [sound, broken]) {
      stored = drivenFixes(startMs, { laps: 4 }).slice(from, to)
      await storeBufferedFixes(db, { sessionId, fixes: stored, historyDays: 400, now: Date.now() })
      keeper.update(sessionId, stored[0]?.at)
    }
    return stored
  }
  const drive = async (from: number, to?: number) => {
    await store(from, to)
    await pass()
  }
  await drive(0, 220)
  expect(await storedLaps(db, sound.sessionId)).toHaveLength(2)
  published.length = 0
  await sql`create function refuse_broken() returns trigger language plpgsql as
    'begin raise exception ''refused''; end'`.execute(db)
  await sql`create trigger refuse_broken before update on lap_timings for each row
    when (new.session_id = ${sql.lit(broken.sessionId)}) execute function refuse_broken()`.execute(
    db,
  )
  return {
    sound: sound.sessionId,
    broken: broken.sessionId,
    published,
    keeper,
    pass,
    store,
    finish: () => drive(220),
  }
}

test('laps that cannot be stored do not block those of other sessions', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sound, broken, published, keeper, pass, finish } = await soundAndBroken(db)
  await finish()
  expect(await storedLaps(db, sound)).toHaveLength(2)
  await pass()
  expect(await storedLaps(db, sound)).toHaveLength(3)
  expect(published).toEqual([`laps-changed in session:${sound}`])
  await sql`drop function refuse_broken cascade`.execute(db)
  await pass()
  await pass()
  expect(await storedLaps(db, broken)).toHaveLength(3)
  await keeper.close()
})

test('stored laps are reported even if those of another session fail afterwards', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sound, broken, keeper, store } = await soundAndBroken(db)
  const fixes = await store(220)
  const all = await Promise.all([sound, broken].map(id => timed(db, id)))
  // Another node stores laps up to a later position: the broken session is stored after the sound one.
  const newest = fixes.at(-1)!
  const late = { ...newest, at: newest.at + 300 }
  await storeBufferedFixes(db, {
    sessionId: broken,
    fixes: [late],
    historyDays: 400,
    now: Date.now(),
  })
  await db.deleteFrom('lap_timings').where('session_id', '=', broken).execute()
  await db
    .insertInto('lap_timings')
    .values({ session_id: broken, computed_up_to: new Date(late.at) })
    .execute()
  const reported: SessionId[] = []
  const storing = storeUpToDate(db, all, ({ timing, changes: { laps } }) => {
    expect(laps.map(({ number }) => number)).toEqual([2])
    reported.push(timing.sessionId)
  })
  await expect(storing).rejects.toThrow('refused')
  expect(reported).toEqual([sound])
  expect(await storedLaps(db, sound)).toHaveLength(3)
  expect(await storedLaps(db, broken)).toHaveLength(2)
  await keeper.close()
  await sql`drop function refuse_broken cascade`.execute(db)
})
