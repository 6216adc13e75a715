import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Down, RoomName } from '#contract/live.ts'
import type { Fix } from '#contract/positions.ts'
import { pointAtProgress, trackOf } from '#contract/shared/track.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import { addVersion, lockCircuits, newestVersion } from '../circuits/storedCircuits.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog, type Log } from '../log.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { beginDeletion } from '../telemetry/deletePositions.ts'
import { recomputeLaps, timedSessions, timeNewPositions } from './computeLaps.ts'
import { LapKeeper } from './lapKeeper.ts'
import { lapTable } from './lapTable.ts'
import { startTiming } from './startTimings.ts'
import { storedLaps } from './storedLaps.ts'
import { storeLaps } from './storeLaps.ts'

const beforeNextMs = 2000

/** A node that stores fixes and times them. */
function startNode(
  db: Kysely<Tables>,
  { positionsAtOnce, log = createLog('silent') }: { positionsAtOnce?: number; log?: Log } = {},
) {
  const clock = steppedClock()
  const events: [RoomName, Down['t']][] = []
  const keeper = new LapKeeper({
    db,
    log,
    clock,
    positionsAtOnce,
    live: {
      publish: (room, event) => {
        if (event.t !== 'circuits-changed') events.push([room, event.t])
      },
    },
  })
  return {
    events,
    keeper,
    async store(sessionId: SessionId, fixes: readonly Fix[]) {
      await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
      keeper.update(sessionId, Math.min(...fixes.map(({ at }) => at)))
      clock.pass(beforeNextMs)
    },
    pass: () => clock.pass(beforeNextMs),
  }
}

/** Makes the timing of a session fail. */
async function refuseCircuit(db: Kysely<Tables>, sessionId: SessionId) {
  await sql`
    create or replace function refuse() returns trigger language plpgsql as
    'begin raise exception ''refused''; end'`.execute(db)
  await sql`create trigger refuse before update of circuit_id on sessions for each row
    when (new.id = ${sql.lit(sessionId)}) execute function refuse()`.execute(db)
}

async function lapCount(db: Kysely<Tables>, sessionId: SessionId) {
  return (await storedLaps(db, sessionId)).length
}

test('nodes that store parts of a session agree on its laps', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 6 })
  const [phone, uploads] = [startNode(db), startNode(db)]
  await phone.store(sessionId, [...fixes.slice(0, 130), ...fixes.slice(250, 320)])
  await expect.poll(() => phone.events).toEqual([[`session:${sessionId}`, 'laps-changed']])
  const before = await storedLaps(db, sessionId)

  await uploads.store(sessionId, fixes.slice(130, 250))
  await expect.poll(() => uploads.events.length).toBe(1)
  expect(await storedLaps(db, sessionId)).not.toEqual(before)
  // This node did not store the upload, but its next lap contains it.
  await phone.store(sessionId, fixes.slice(320))
  await expect
    .poll(async () => {
      phone.pass()
      return lapCount(db, sessionId)
    })
    .toBe(5)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

/** Moves the line of the circuit of a session to a third of the lap, as on any node. */
function moveLine(db: Kysely<Tables>, sessionId: SessionId) {
  return db.transaction().execute(async trx => {
    const session = await trx
      .selectFrom('sessions')
      .select(['team_id', 'circuit_id'])
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    await lockCircuits(trx, session.team_id)
    const newest = await newestVersion(trx, session.team_id, session.circuit_id ?? '')
    const track = trackOf(newest.outline)
    const line = track.plane.toPosition(pointAtProgress(track, 1 / 3))
    return addVersion(trx, newest, 'line', { line, lineSource: 'tapped', lineErrorM: null })
  })
}

test('a node goes on with the line that another one has moved', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 6 })
  const [phone, other] = [startNode(db), startNode(db)]
  await phone.store(sessionId, fixes.slice(0, 320))
  await expect.poll(() => lapCount(db, sessionId)).toBeGreaterThan(1)
  const before = await storedLaps(db, sessionId)

  const { sessions } = await moveLine(db, sessionId)
  for (const session of sessions) other.keeper.update(session)
  other.pass()
  await expect.poll(() => other.events.length).toBe(1)
  const moved = await storedLaps(db, sessionId)
  expect(moved[1]?.startedAt).not.toBe(before[1]?.startedAt)

  await phone.store(sessionId, fixes.slice(320))
  await expect
    .poll(async () => {
      phone.pass()
      return lapCount(db, sessionId)
    })
    .toBeGreaterThan(moved.length)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('a restarted node continues the laps', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 4 })
  const before = startNode(db)
  await before.store(sessionId, fixes.slice(0, 220))
  await expect.poll(() => lapCount(db, sessionId)).toBe(2)
  await before.keeper.close()

  const after = startNode(db)
  await after.store(sessionId, fixes.slice(220))
  await expect.poll(() => lapCount(db, sessionId)).toBe(3)
  expect(after.events).toEqual([[`session:${sessionId}`, 'laps-changed']])
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('laps that were computed before a deletion or a stop are not stored after it', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, userId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 3 })
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
  const computed = async () => {
    const [session] = await timedSessions(db, [sessionId])
    const timing = await startTiming(db, session!)
    await timeNewPositions(db, [timing])
    expect(timing.laps).toHaveLength(2)
    return timing
  }
  const beforeDeletion = await computed()
  const beforeStop = await computed()
  const set = (values: { lap_timing: boolean }) =>
    db.updateTable('sessions').set(values).where('id', '=', sessionId).execute()

  await set({ lap_timing: false })
  expect(await storeLaps(db, beforeStop)).toBeNull()
  await set({ lap_timing: true })
  await beginDeletion(db, { userId, sessionId, now: Date.now() })
  expect(await storeLaps(db, beforeDeletion)).toBeNull()
  expect(await lapCount(db, sessionId)).toBe(0)
})

test('laps that were lost or falsified are corrected by a new computation', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 4 })
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
  expect((await recomputeLaps(db, sessionId))?.laps).toHaveLength(3)
  const laps = await storedLaps(db, sessionId)
  await db.updateTable('laps').set({ time_ms: 1 }).where('number', '=', 2).execute()
  await db.deleteFrom('laps').where('number', '=', 1).execute()
  expect((await recomputeLaps(db, sessionId))?.laps).toEqual([
    { number: 1, before: undefined, after: laps[1] },
    { number: 2, before: { ...laps[2], timeMs: 1 }, after: laps[2] },
  ])
  expect(await storedLaps(db, sessionId)).toEqual(laps)
})

test('a long computation goes on while somebody requests its laps', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 12 })
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
  await db.updateTable('sessions').set({ status: 'Complete', date_ended: new Date() }).execute()
  const { keeper, pass } = startNode(db, { positionsAtOnce: 250 })
  const requested = { id: sessionId, status: 'Complete', lapTiming: true } as const
  const rounds = Math.ceil(fixes.length / 250) + 2
  for (let round = 0; round < rounds; round++) {
    await lapTable({ db, laps: keeper }, requested)
    pass()
    await keeper.idle()
  }
  expect(await lapTable({ db, laps: keeper }, requested)).toMatchObject({ pending: false })
  expect(await lapCount(db, sessionId)).toBe(12)
})

test('a session whose circuit cannot be stored does not hold up those of others', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const broken = await pastSession(db)
  // The last one in every order in which the database may return them.
  const sound = await pastSession(db, 'ffffffff-ffff-4fff-bfff-ffffffffffff')
  await refuseCircuit(db, broken.sessionId)
  const node = startNode(db)
  for (const { sessionId, startMs } of [broken, sound]) {
    const fixes = drivenFixes(startMs, { laps: 3 })
    await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
  }
  node.keeper.update(broken.sessionId)
  node.keeper.update(sound.sessionId)
  const lapsAfter = async (sessionId: SessionId) => {
    node.pass()
    return lapCount(db, sessionId)
  }
  await expect.poll(() => lapsAfter(sound.sessionId)).toBe(2)
  expect(await lapCount(db, broken.sessionId)).toBe(0)

  await sql`drop trigger refuse on sessions`.execute(db)
  await expect.poll(() => lapsAfter(broken.sessionId)).toBe(2)
})

test('a failing session is retried with exponential backoff, until it succeeds', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  await refuseCircuit(db, sessionId)
  const fixes = drivenFixes(startMs, { laps: 3 })
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
  const failures: { round: number; retryInMs: number }[] = []
  let round = 0
  const write = (line: string) => failures.push({ round, retryInMs: JSON.parse(line).retryInMs })
  const { keeper, pass } = startNode(db, { log: createLog('warn', { write }) })
  const passRounds = async (count: number) => {
    for (let passed = 0; passed < count; passed++) {
      round += 1
      // New positions do not shorten the delay.
      keeper.update(sessionId)
      pass()
      await keeper.idle()
    }
  }
  await passRounds(100)
  expect(failures).toEqual([
    { round: 1, retryInMs: 2000 },
    { round: 2, retryInMs: 4000 },
    { round: 4, retryInMs: 8000 },
    { round: 8, retryInMs: 16_000 },
    { round: 16, retryInMs: 32_000 },
    { round: 32, retryInMs: 64_000 },
    { round: 64, retryInMs: 64_000 },
    { round: 96, retryInMs: 64_000 },
  ])
  await sql`drop trigger refuse on sessions`.execute(db)
  await passRounds(28)
  expect(await lapCount(db, sessionId)).toBe(2)
})

test('a long drive is timed in slices, with the same laps', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const node = startNode(db)
  await node.store(sessionId, drivenFixes(startMs, { laps: 8 }))
  await expect.poll(() => lapCount(db, sessionId)).toBe(7)
  await node.keeper.close()
  const [session] = await timedSessions(db, [sessionId])
  const timing = await startTiming(db, session!)
  expect(await timeNewPositions(db, [timing], 250)).toBe(false)
  expect(timing.read).toBe(250)
  let slices = 1
  while (!(await timeNewPositions(db, [timing], 250))) slices += 1
  expect(slices).toBeGreaterThan(1)
  expect(timing.laps).toHaveLength(7)
})

test('a drive without laps is not pending any more once it is timed', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const node = startNode(db)
  const parked = drivenFixes(startMs, { laps: 2 }).map(fix => ({
    ...fix,
    latitude: 50,
    longitude: 5,
  }))
  await node.store(sessionId, parked)
  await db.updateTable('sessions').set({ status: 'Complete', date_ended: new Date() }).execute()
  node.keeper.update(sessionId)
  const requested = { id: sessionId, status: 'Complete', lapTiming: true } as const
  await expect
    .poll(async () => {
      node.pass()
      return (await lapTable({ db, laps: node.keeper }, requested)).pending
    })
    .toBe(false)
  await node.keeper.idle()
  expect(node.events.length).toBeGreaterThan(0)
})

test('a session with more positions than are timed at once gets all its laps', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const node = startNode(db, { positionsAtOnce: 250 })
  await node.store(sessionId, drivenFixes(startMs, { laps: 8 }))
  await expect
    .poll(async () => {
      node.pass()
      return lapCount(db, sessionId)
    })
    .toBe(7)
  // One event: nothing is stored before all positions are timed.
  expect(node.events).toHaveLength(1)
})
