import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { RacePause } from '#contract/races.ts'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import type { TeamEventKind } from '#contract/teamEvents.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import {
  receivedKinds,
  setContact,
  type TeamEventScene,
  teamEventScene,
} from '#testing/push/teamEventScene.ts'
import type { Tables } from '../db/schema/tables.ts'
import { Days } from '../telemetry/days.ts'
import { storeFixes } from '../telemetry/storeFixes.ts'
import { watchOnce } from './watchCars.ts'

/** Stores one fix a second, the newest now: its speeds in km/h. */
async function drive({ db, clock, sessionId: session }: TeamEventScene, speeds: readonly number[]) {
  const now = clock.now()
  const fixes = speeds.map((v, index) => {
    const at = now - (speeds.length - 1 - index) * 1000
    return { session, contactAt: at, fix: { at, la: 50.99, lo: 5.26, v, ac: 4 } }
  })
  await new Days(db).make(fixes.map(({ fix }) => fix.at))
  await storeFixes(db, fixes)
}

async function addLap(db: Kysely<Tables>, session_id: SessionId, startMs: number) {
  const lap = { session_id, number: 1, started_at: new Date(startMs), time_ms: 90_000 }
  await db
    .insertInto('laps')
    .values({ ...lap, plus_minus_ms: 100, kind: 'full', is_seen: true, marked: false })
    .execute()
}

const stopped = [...Array<number>(20).fill(120), ...Array<number>(17).fill(0)]

test('a car whose data link is off sends no events, and is not reported as silent', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, watch, node } = made
  const offAt = new Date(made.clock.now() - 70_000)
  await setContact(made, 71_000)
  await db.updateTable('sessions').set({ data_link: false }).where('id', '=', sessionId).execute()
  await db.insertInto('data_link_breaks').values({ session_id: sessionId, off_at: offAt }).execute()
  await watch()
  const { events } = node()
  for (const kind of ['problem', 'pit-in', 'stopped', 'driver-silent'] as const)
    events.record({ sessionId, kind, occurrence: 1 })
  await events.close()
  await db.updateTable('data_link_breaks').set({ on_at: new Date() }).execute()
  await db.updateTable('sessions').set({ data_link: true }).where('id', '=', sessionId).execute()
  await watch()
  expect(receivedKinds(service)).toEqual([])
})

test('a stop of 15 s on track is pushed once', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, startMs, watch } = made
  await addLap(db, sessionId, startMs)
  await drive(made, stopped.slice(0, -3))
  await watch()
  expect(receivedKinds(service)).toEqual([])
  await db.deleteFrom('positions').execute()
  await drive(made, stopped)
  await watch()
  await drive(made, [0])
  await watch()
  expect(receivedKinds(service)).toEqual(['stopped'])
})

test('a stop before the first lap or in the pits, or a slow car, sends no event', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, startMs, watch } = made
  await drive(made, stopped)
  await watch()
  await addLap(db, sessionId, startMs)
  const visit = { session_id: sessionId, started_at: new Date(made.clock.now() - 30_000) }
  await db
    .insertInto('pit_visits')
    .values({ ...visit, ended_at: null, stopped_at: null, left_at: null })
    .execute()
  await watch()
  await db.deleteFrom('pit_visits').execute()
  await drive(made, Array<number>(18).fill(6))
  await watch()
  expect(receivedKinds(service)).toEqual([])
})

test('a stint over its longest time is pushed once, without the pauses of the race', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, watch } = made
  const ago = (ms: number) => new Date(made.clock.now() - ms)
  await db
    .updateTable('sessions')
    .set({ date_started: ago(70 * minuteMs) })
    .execute()
  const race = await raceOf(db, sessionId, {
    maxStintMs: 60 * minuteMs,
    startedAt: ago(65 * minuteMs),
    pauses: [{ from: made.clock.now() - 30 * minuteMs, to: made.clock.now() - 24 * minuteMs }],
  })
  await watch()
  expect(receivedKinds(service)).toEqual([])
  await db
    .updateTable('races')
    .set({ started_at: ago(66 * minuteMs + 5000) })
    .where('id', '=', race)
    .execute()
  await watch()
  await watch()
  expect(receivedKinds(service)).toEqual(['stint-over'])

  // The next driver.
  const stint = { session_id: sessionId, id: randomUUID(), driver_id: null }
  await db
    .insertInto('stints')
    .values({ ...stint, from_at: ago(minuteMs) })
    .execute()
  await watch()
  expect(receivedKinds(service)).toEqual(['stint-over'])
})

test('a car whose race cannot be read holds up no other car', async () => {
  await using made = await teamEventScene()
  const { db, sessionId } = made
  const startedAt = new Date(made.clock.now() - 2 * hourMs)
  await db.updateTable('sessions').set({ date_started: startedAt }).execute()
  const values = { maxStintMs: hourMs, startedAt, pauses: [] }
  await raceOf(db, sessionId, values)
  // Three of them, whichever is read first.
  for (let count = 0; count < 3; count++) {
    const { sessionId: other } = await pastSession(db)
    await db
      .updateTable('sessions')
      .set({ date_started: startedAt })
      .where('id', '=', other)
      .execute()
    const race = await raceOf(db, other, values)
    await db.updateTable('races').set({ pauses: '1' }).where('id', '=', race).execute()
  }
  await addLap(db, sessionId, made.startMs)
  await drive(made, stopped)
  const recorded: [string, TeamEventKind][] = []
  const record = ({ sessionId: id, kind }: { sessionId: string; kind: TeamEventKind }) =>
    recorded.push([id, kind])
  const watched = watchOnce({ db, clock: made.clock, events: { record } })
  await expect(watched).rejects.toThrow(AggregateError)
  expect(recorded).toEqual([
    [sessionId, 'stopped'],
    [sessionId, 'stint-over'],
  ])
})

test('no further stint is looked at while 3,000 sessions rest', async () => {
  await using made = await teamEventScene()
  const { db, clock, sessionId } = made
  const startedAt = new Date(clock.now() - 2 * hourMs)
  await db.updateTable('sessions').set({ date_started: startedAt }).execute()
  await raceOf(db, sessionId, { maxStintMs: hourMs, startedAt, pauses: [] })
  const recorded: TeamEventKind[] = []
  const events = { record: ({ kind }: { kind: TeamEventKind }) => void recorded.push(kind) }
  const others = Array.from({ length: 3000 }, () => [randomUUID(), clock.now() + 1000] as const)
  const restUntil = new Map<SessionId, number>(others)
  await watchOnce({ db, clock, events }, restUntil)
  expect(recorded).toEqual([])
  expect(restUntil.size).toBe(3000)

  clock.pass(1000)
  await watchOnce({ db, clock, events }, restUntil)
  expect(recorded).toEqual(['stint-over'])
  expect([...restUntil.keys()]).toEqual([sessionId])
})

/** Adds a race with a longest stint to a session. */
async function raceOf(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { maxStintMs, startedAt, pauses }: { maxStintMs: number; startedAt: Date; pauses: RacePause[] },
): Promise<string> {
  const { team_id } = await db
    .selectFrom('sessions')
    .select('team_id')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const id = randomUUID()
  await db
    .insertInto('races')
    .values({
      id,
      team_id,
      name: 'Race',
      length_ms: 24 * 60 * 60_000,
      rules: JSON.stringify({ ...noRules, maxStintMs }),
      created_at: startedAt,
      started_at: startedAt,
      pauses: JSON.stringify(pauses),
    })
    .execute()
  await db.updateTable('sessions').set({ race_id: id }).where('id', '=', sessionId).execute()
  return id
}
