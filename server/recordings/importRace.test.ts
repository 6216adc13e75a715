import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { maxTeamRecordedFixes } from '#contract/shared/recordingRules.ts'
import { testDatabase } from '#testing/database/database.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { RateLimits } from '../rateLimit/rateLimits.ts'
import { importRecording } from './importRecording.ts'

const fixes = 20

// The same for all imports, which may begin in different seconds.
const startS = Math.floor(Date.now() / 1000) - 2 * 24 * 60 * 60

/** A drive along a meridian, two days ago, as a CSV file; another `seed` is another recording. */
function recording(seed: number): Uint8Array {
  const rows = Array.from(
    { length: fixes },
    (_, index) => `${startS + index},${50 + index * 1e-4},${5 + seed * 1e-3}`,
  )
  return new TextEncoder().encode(['utc_s,latitude_deg,longitude_deg', ...rows].join('\n'))
}

/** Nodes that share a database, a team, and how one of them imports a recording. */
async function nodes() {
  const database = await testDatabase()
  const { db } = database.open
  const { userId } = await pastSession(db)
  const { id: teamId } = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow()
  await db.insertInto('team_access').values({ team_id: teamId, user_id: userId }).execute()
  // A slow database: transactions of several nodes overlap.
  await sql`
    create or replace function linger() returns trigger language plpgsql as
    'begin perform pg_sleep(0.3); return new; end'`.execute(db)
  await sql`
    create or replace trigger linger after insert on sessions for each row execute function linger()`.execute(
    db,
  )
  const config = readConfig({ PORT: '0' })
  const log = pino({ level: 'silent' })
  const parts = {
    rateLimits: new RateLimits(systemClock),
    live: { publish: () => undefined },
    recorder: { latest: () => undefined },
    laps: { update: () => undefined },
  }
  const node = { db, config, log, clock: systemClock, ...parts }
  const send = (seed: number, storing?: AbortSignal) =>
    importRecording(node, {
      storing,
      teamId,
      userId,
      name: 'Old race',
      dayStartMs: null,
      lapTiming: true,
      bytes: recording(seed),
    })
  return { database, db, teamId, send }
}

test('nodes that import one recording at the same time make one session', async () => {
  const { database, db, send } = await nodes()
  await using _ = database
  const imported = await Promise.all([1, 1, 1, 1, 1].map(seed => send(seed)))
  expect(new Set(imported.map(({ sessionId }) => sessionId)).size).toBe(1)
  expect(imported.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await db.selectFrom('positions').select('at').execute()).toHaveLength(fixes)
})

test('nodes that import at the same time do not exceed the room of a team', async () => {
  const { database, db, teamId, send } = await nodes()
  await using _ = database
  await db
    .updateTable('sessions')
    .set({ status: 'Complete', recorded_positions: maxTeamRecordedFixes - fixes })
    .where('team_id', '=', teamId)
    .execute()
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map(seed => send(seed)))
  const refused = results.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused.map(({ detail }) => detail)).toEqual(Array(4).fill('recordings-too-many'))
})

test('an import that was stopped while storing is completed by the next one', async () => {
  const { database, db, send } = await nodes()
  await using _ = database
  await expect(send(1, AbortSignal.abort(new Error('the server stops')))).rejects.toThrow('stops')
  const { sessionId, isNew } = await send(1)
  expect(isNew).toBe(false)
  const stored = await db.selectFrom('positions').select('session_id').execute()
  expect(stored).toEqual(Array(fixes).fill({ session_id: sessionId }))
})
