import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { MovesTracker } from '#racing/laps/movesTracker.ts'
import { testDatabase } from '#testing/database/database.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'
import { givenCircuit, shippedVersion } from '../circuits/circuitVersion.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { beginDeletion } from '../telemetry/deletePositions.ts'
import { recomputeLaps } from './computeLaps.ts'
import { LapKeeper } from './lapKeeper.ts'
import { deleteLaps } from './storedLaps.ts'
import { movesOf } from './storedMoves.ts'

const race = pitRace([{}, {}, { pitStopS: 90 }, {}, {}])

async function store(db: Kysely<Tables>, sessionId: SessionId, fixes: readonly Fix[]) {
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
}

/** A session whose phone has driven the race, without lap timing yet. */
async function driven(db: Kysely<Tables>, untilMs = Number.POSITIVE_INFINITY) {
  const session = await pastSession(db)
  const fixes = reportedFixes(race, session.startMs)
  const isBefore = ({ at }: Fix) => at < session.startMs + untilMs
  await store(db, session.sessionId, fixes.filter(isBefore))
  return { ...session, fixes, rest: fixes.filter(fix => !isBefore(fix)) }
}

async function moves(db: Kysely<Tables>, sessionId: SessionId) {
  return (await movesOf(db, [sessionId])).get(sessionId)
}

/** How the phone moved in these fixes, without a server. */
function expectedMoves(fixes: readonly Fix[]) {
  const circuit = givenCircuit(shippedVersion('team', zolder))
  const timer = new DriveTimer(new FixedCircuit(circuit), each => new MovesTracker(each))
  for (const { at, latitude, longitude, speedKmh, accuracyM } of fixes) {
    if (latitude === null || longitude === null) continue
    const speedMps = speedKmh === null ? null : speedKmh / 3.6
    timer.add({ atMs: at, latitude, longitude, speedMps, headingDeg: null, accuracyM })
  }
  return timer.moves
}

test('the moves of a phone are stored with its laps, however its fixes arrived', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const inBoxMs = race.visits[0]!.stop!.fromMs + 40_000
  const { sessionId, fixes, rest } = await driven(db, inBoxMs)
  expect(await moves(db, sessionId)).toBeUndefined()
  await recomputeLaps(db, sessionId)
  const before = await moves(db, sessionId)
  expect(before).toMatchObject({ drives: [{ to: expect.any(Number) }], silences: [] })

  // The newest minute arrives before the others.
  await store(db, sessionId, rest.slice(-60))
  await recomputeLaps(db, sessionId)
  await store(db, sessionId, rest.slice(0, -60))
  await recomputeLaps(db, sessionId)
  const all = await moves(db, sessionId)
  expect(all).toEqual(expectedMoves(fixes))
  const { stands: _, ...first } = before!.drives[0]!
  expect(all?.drives).toMatchObject([first, { leftPits: true, to: null }])
})

test('the newest fix is that of the phone, until its session or its timing has ended', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, fixes, rest } = await driven(db, 120_000)
  await recomputeLaps(db, sessionId)
  await store(db, sessionId, rest.slice(0, 50))
  const newest = async () => (await moves(db, sessionId))?.lastFixAt
  expect(await newest()).toBe(rest[49]!.at)
  await db.updateTable('lap_timings').set({ stopped: 'failed' }).execute()
  expect(await newest()).toBeLessThan(rest[0]!.at)

  await store(db, sessionId, rest)
  await db
    .updateTable('sessions')
    .set({ status: 'Complete', date_ended: new Date() })
    .where('id', '=', sessionId)
    .execute()
  await recomputeLaps(db, sessionId)
  expect(await newest()).toBe(fixes.at(-1)!.at)
})

test('moves go with the laps, and stay when only the positions are deleted', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, userId } = await driven(db)
  await recomputeLaps(db, sessionId)
  const before = await moves(db, sessionId)
  await beginDeletion(db, { userId, sessionId, now: Date.now() })
  await recomputeLaps(db, sessionId)
  expect((await moves(db, sessionId))?.drives).toEqual(before?.drives)
  await beginDeletion(db, { userId, sessionId, withLaps: true, now: Date.now() })
  expect(await moves(db, sessionId)).toBeUndefined()
  await recomputeLaps(db, sessionId)
  await db.transaction().execute(trx => deleteLaps(trx, sessionId))
  expect(await moves(db, sessionId)).toBeUndefined()
})

/** A node that times sessions, and counts the calls of `onMoved`. */
function startNode(db: Kysely<Tables>) {
  const clock = steppedClock()
  const moved: SessionId[] = []
  const keeper = new LapKeeper({
    db,
    log: createLog('silent'),
    clock,
    live: { publish: () => undefined },
    onMoved: id => moved.push(id),
  })
  return {
    moved,
    async time(sessionId: SessionId) {
      keeper.update(sessionId)
      clock.pass(2000)
      await keeper.idle()
    },
  }
}

test('listeners hear of moves, and of time in a car with several phones', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, rest } = await driven(db, 200_000)
  const node = startNode(db)
  const heard = async () => {
    await node.time(sessionId)
    return node.moved.splice(0)
  }
  await expect.poll(heard).toContain(sessionId)
  await expect.poll(heard).toEqual([])
  await store(db, sessionId, rest.slice(0, 30))
  await node.time(sessionId)
  expect(node.moved).toEqual([])

  await addPhone(db, sessionId)
  await store(db, sessionId, rest.slice(30, 45))
  expect(await heard()).toEqual([sessionId])
  await store(db, sessionId, rest.slice(45, 50))
  expect(await heard()).toEqual([])
  await store(db, sessionId, rest.slice(50, 60))
  expect(await heard()).toEqual([sessionId])

  await db.updateTable('sessions').set({ lap_timing: false }).where('id', '=', sessionId).execute()
  await db.transaction().execute(trx => deleteLaps(trx, sessionId))
  expect(await heard()).toEqual([sessionId])
})

test('a node that begins to time a session tells listeners, once', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId } = await driven(db)
  // Another node stored the moves, and stopped.
  await recomputeLaps(db, sessionId)
  const node = startNode(db)
  await node.time(sessionId)
  expect(node.moved).toEqual([sessionId])
  await node.time(sessionId)
  expect(node.moved).toEqual([sessionId])
})

/** Makes a session one of two active ones of a car in a race. */
async function addPhone(db: Kysely<Tables>, sessionId: SessionId) {
  const other = await pastSession(db)
  const [raceId, carId] = [randomUUID(), randomUUID()]
  const { team_id } = await db
    .selectFrom('sessions')
    .select('team_id')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  await db.insertInto('cars').values({ id: carId, team_id, position: 1, number: '7' }).execute()
  await db
    .insertInto('races')
    .values({
      id: raceId,
      team_id,
      name: '4 h',
      length_ms: 4 * 60 * 60 * 1000,
      rules: JSON.stringify(noRules),
      created_at: new Date(),
    })
    .execute()
  await db
    .updateTable('sessions')
    .set({ team_id, race_id: raceId, car_id: carId })
    .where('id', 'in', [sessionId, other.sessionId])
    .execute()
}
