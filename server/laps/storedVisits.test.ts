import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { testDatabase } from '#testing/database/database.ts'
import { lapRow } from '#testing/database/lapRow.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'
import type { DrivenRace } from '#testing/races.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { beginDeletion } from '../telemetry/deletePositions.ts'
import { recomputeLaps } from './computeLaps.ts'
import { deleteLaps, storedLaps } from './storedLaps.ts'
import { storedVisits } from './storedVisits.ts'

const laps = [{}, {}, { pitStopS: 90 }, {}, {}, { pitStopS: 0 }, {}, { pitStopS: 40 }, {}]

async function drive(db: Kysely<Tables>, race: DrivenRace, fromMs = 0, untilMs = Infinity) {
  const session = await pastSession(db)
  const within = {
    ...race,
    fixes: race.fixes.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs),
  }
  await store(db, session, within)
  return session
}

async function store(
  db: Kysely<Tables>,
  { sessionId, startMs }: { sessionId: SessionId; startMs: number },
  race: DrivenRace,
) {
  const fixes = reportedFixes(race, startMs)
  await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
}

test('visits to the pits are stored with the laps, within 3 s of the truth', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const race = pitRace(laps, { whiteM: 2, accuracyM: 5 })
  const { sessionId, startMs } = await drive(db, race)
  const changes = await recomputeLaps(db, sessionId)
  const visits = await storedVisits(db, sessionId)
  expect(changes?.visits.map(({ after }) => after)).toEqual(visits)
  expect(visits).toHaveLength(3)
  for (const [index, { startedAtMs, endedAtMs, stop }] of race.visits.entries()) {
    const visit = visits[index]!
    expect(Math.abs(visit.startedAt - startMs - startedAtMs)).toBeLessThan(3000)
    expect(Math.abs(visit.endedAt! - startMs - endedAtMs)).toBeLessThan(3000)
    expect(visit.stoppedAt === null).toBe(stop === null)
    const leftMs = stop ? startMs + stop.untilMs : Number.NaN
    expect(stop === null || Math.abs(visit.leftAt! - leftMs) < 3000).toBe(true)
  }
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('a visit that has not ended is stored, and ends with later positions', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const race = pitRace(laps)
  const [first] = race.visits
  const inBoxMs = first!.stop!.fromMs + 40_000
  const session = await drive(db, race, 0, inBoxMs)
  const { sessionId } = session
  await recomputeLaps(db, sessionId)
  const [open, ...others] = await storedVisits(db, sessionId)
  expect(others).toEqual([])
  expect(open).toMatchObject({ endedAt: null, leftAt: null })
  expect(Math.abs(open!.stoppedAt! - session.startMs - first!.stop!.fromMs)).toBeLessThan(3000)

  const rest = { ...race, fixes: race.fixes.filter(({ atMs }) => atMs >= inBoxMs) }
  await store(db, session, rest)
  await recomputeLaps(db, sessionId)
  const visits = await storedVisits(db, sessionId)
  expect(visits).toHaveLength(3)
  expect(visits[0]).toMatchObject({ startedAt: open!.startedAt, endedAt: expect.any(Number) })
})

test('falsified laps and visits are corrected, superfluous ones removed', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId } = await drive(db, pitRace(laps))
  await recomputeLaps(db, sessionId)
  const storedBefore = await storedLaps(db, sessionId)
  const [first, second] = await storedVisits(db, sessionId)
  const superfluous = {
    startedAt: second!.startedAt + 1,
    endedAt: null,
    stoppedAt: null,
    leftAt: null,
  }
  await sql`update pit_visits set ended_at = null, left_at = null
    where started_at = ${new Date(first!.startedAt)}`.execute(db)
  await sql`insert into pit_visits (session_id, started_at)
    values (${sessionId}, ${new Date(superfluous.startedAt)})`.execute(db)
  const lap = { ...storedBefore.at(-1)!, number: 99 }
  await db.insertInto('laps').values(lapRow(sessionId, lap)).execute()
  await db.updateTable('laps').set({ plus_minus_ms: 9 }).where('number', '=', 1).execute()

  expect(await recomputeLaps(db, sessionId)).toEqual({
    laps: [
      { number: 1, before: { ...storedBefore[1], plusMinusMs: 9 }, after: storedBefore[1] },
      { number: 99, before: lap, after: undefined },
    ],
    visits: [
      { before: { ...first, endedAt: null, leftAt: null }, after: first },
      { before: superfluous, after: undefined },
    ],
  })
  expect(await storedLaps(db, sessionId)).toEqual(storedBefore)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('visits go with the laps, and stay when only the positions are deleted', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, userId } = await drive(db, pitRace(laps))
  await recomputeLaps(db, sessionId)
  const visits = await storedVisits(db, sessionId)
  await beginDeletion(db, { userId, sessionId, now: Date.now() })
  await recomputeLaps(db, sessionId)
  expect(await storedVisits(db, sessionId)).toEqual(visits)
  await db.transaction().execute(trx => deleteLaps(trx, sessionId))
  expect(await storedVisits(db, sessionId)).toEqual([])
})

test('a slow race without a stop has no visit', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const slow = Array.from({ length: 12 }, (_, lap) => (lap % 4 > 1 ? { limitMps: 80 / 3.6 } : {}))
  const { sessionId } = await drive(db, pitRace(slow, { whiteM: 3, driftM: 2, accuracyM: 14 }))
  expect((await recomputeLaps(db, sessionId))?.laps.length).toBeGreaterThan(8)
  expect(await storedVisits(db, sessionId)).toEqual([])
})
