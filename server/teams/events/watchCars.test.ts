import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { RacePause } from '#contract/races/races.ts'
import { noRules } from '#contract/shared/racing/raceRules.ts'
import type { TeamEventKind } from '#contract/teams/teamEvents.ts'
import { testDatabase } from '#testing/database/database.ts'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { PushService } from '#testing/push/pushService.ts'
import { systemClock } from '../../clock.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { createLog } from '../../log.ts'
import { Days } from '../../telemetry/days.ts'
import { storeFixes } from '../../telemetry/storeFixes.ts'
import { storeSubscription } from './subscriptions.ts'
import { eventsAtOnce, TeamEvents } from './teamEvents.ts'
import { vapidKeys } from './vapidKeys.ts'
import { watchOnce } from './watchCars.ts'

const longAgo = 0

/** Several nodes with one database, one push service, and a member of the team with a browser. */
async function scene() {
  const database = await testDatabase()
  const { db } = database.open
  const service = await PushService.start()
  const { sessionId, userId, startMs } = await pastSession(db)
  const { team_id } = await db
    .selectFrom('sessions')
    .select('team_id')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  await db.insertInto('team_access').values({ team_id, user_id: userId }).execute()
  const keys = await vapidKeys(db)
  const now = Date.now()
  const login = await db
    .insertInto('logins')
    .values({
      user_id: userId,
      token_hash: Buffer.alloc(32),
      device: null,
      expires_at: new Date(now + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await storeSubscription(db, login.id, { ...service.subscribe(keys.publicKey), now })
  function node(clockAheadMs = 0) {
    const clock = { ...systemClock, aheadMs: clockAheadMs, now: () => Date.now() + clock.aheadMs }
    const published: TeamEventKind[] = []
    const sender = { keys, contact: 'mailto:race@example.com', allowLoopback: true }
    const events = new TeamEvents({
      db,
      clock,
      sender,
      log: createLog('silent'),
      live: {
        publish: (_, event) => {
          if (event.t === 'team-event') published.push(event.event.kind)
        },
      },
    })
    return { db, clock, events, published }
  }
  return {
    db,
    service,
    sessionId,
    startMs,
    loginId: login.id,
    node,
    /** Lets some nodes look at the cars, and resolves once everything is sent. */
    async watch(count = 3, clockAheadMs = 0) {
      const nodes = Array.from({ length: count }, () => node(clockAheadMs))
      await Promise.all(nodes.map(each => watchOnce(each, longAgo)))
      await Promise.all(nodes.map(({ events }) => events.close()))
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

function kinds(service: PushService) {
  return service.received.map(({ payload }) => payload['kind'] as TeamEventKind)
}

/** Sets the last contact of a session's phone to some time ago. */
async function contact(db: Kysely<Tables>, sessionId: SessionId, agoMs: number) {
  await db
    .updateTable('newest_fixes')
    .set({ last_driver_contact: new Date(Date.now() - agoMs) })
    .where('session_id', '=', sessionId)
    .execute()
}

/** Stores one fix a second, the newest now: its speeds in km/h. */
async function drive(db: Kysely<Tables>, session: SessionId, speeds: readonly number[]) {
  const now = Date.now()
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

test('a phone that was silent for 60 s is pushed once, by whichever of three nodes', async () => {
  await using made = await scene()
  const { db, service, sessionId, watch } = made
  await contact(db, sessionId, 59_000)
  await watch()
  expect(kinds(service)).toEqual([])
  await contact(db, sessionId, 61_000)
  await watch()
  await watch()
  expect(kinds(service)).toEqual(['driver-silent'])
  expect(service.received[0]!.ttlS).toBe(58)
})

test('a recorded silence is not reported again', async () => {
  await using made = await scene()
  const { db, sessionId, watch } = made
  await contact(db, sessionId, 61_000)
  const noticed: TeamEventKind[] = []
  const events = { record: ({ kind }: { kind: TeamEventKind }) => noticed.push(kind) }
  const watcher = { db, clock: systemClock, events }
  await watchOnce(watcher, longAgo)
  expect(noticed).toEqual(['driver-silent'])
  await watch()
  await watchOnce(watcher, longAgo)
  expect(noticed).toEqual(['driver-silent'])
})

test('the next silence is another event', async () => {
  await using made = await scene()
  const { db, service, sessionId, watch } = made
  await contact(db, sessionId, 90_000)
  await watch()
  await contact(db, sessionId, 61_000)
  await watch()
  expect(kinds(service)).toEqual(['driver-silent', 'driver-silent'])
})

test('nothing is pushed more than 60 s after the event', async () => {
  await using made = await scene()
  const { db, service, sessionId, watch, node } = made
  await contact(db, sessionId, 121_000)
  await watch()
  const { events } = node()
  events.record({ sessionId, kind: 'problem', occurrence: 1, at: Date.now() - 60_000 })
  await events.close()
  expect(kinds(service)).toEqual([])
})

test('an event that waits over 60 s for the database is stored but not published', async () => {
  await using made = await scene()
  const { db, service, sessionId, node } = made
  const { clock, events, published } = node()
  events.record({ sessionId, kind: 'problem', occurrence: 1 })
  clock.aheadMs = 61_000
  await events.close()
  expect(await db.selectFrom('team_events').select('kind').execute()).toEqual([{ kind: 'problem' }])
  expect(published).toEqual([])
  expect(kinds(service)).toEqual([])
})

test('a car whose data link is off sends no events, and is not reported as silent', async () => {
  await using made = await scene()
  const { db, service, sessionId, watch, node } = made
  const offAt = new Date(Date.now() - 70_000)
  await contact(db, sessionId, 71_000)
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
  expect(kinds(service)).toEqual([])
})

test('silence is not reported in the first minute of a node, while phones reconnect', async () => {
  await using made = await scene()
  const { db, service, sessionId, node } = made
  await contact(db, sessionId, 70_000)
  const each = node()
  await watchOnce(each, Date.now() - 30_000)
  await each.events.close()
  expect(kinds(service)).toEqual([])
})

test('a stop of 15 s on track is pushed once', async () => {
  await using made = await scene()
  const { db, service, sessionId, startMs, watch } = made
  await addLap(db, sessionId, startMs)
  await drive(db, sessionId, stopped.slice(0, -3))
  await watch()
  expect(kinds(service)).toEqual([])
  await db.deleteFrom('positions').execute()
  await drive(db, sessionId, stopped)
  await watch()
  await drive(db, sessionId, [0])
  await watch()
  expect(kinds(service)).toEqual(['stopped'])
})

test('a stop before the first lap or in the pits, or a slow car, sends no event', async () => {
  await using made = await scene()
  const { db, service, sessionId, startMs, watch } = made
  await drive(db, sessionId, stopped)
  await watch()
  await addLap(db, sessionId, startMs)
  const visit = { session_id: sessionId, started_at: new Date(Date.now() - 30_000) }
  await db
    .insertInto('pit_visits')
    .values({ ...visit, ended_at: null, stopped_at: null, left_at: null })
    .execute()
  await watch()
  await db.deleteFrom('pit_visits').execute()
  await drive(db, sessionId, Array<number>(18).fill(6))
  await watch()
  expect(kinds(service)).toEqual([])
})

test('a stint over its longest time is pushed once, without the pauses of the race', async () => {
  await using made = await scene()
  const { db, service, sessionId, watch } = made
  const minuteMs = 60_000
  const ago = (ms: number) => new Date(Date.now() - ms)
  await db
    .updateTable('sessions')
    .set({ date_started: ago(70 * minuteMs) })
    .execute()
  const race = await raceOf(db, sessionId, {
    maxStintMs: 60 * minuteMs,
    startedAt: ago(65 * minuteMs),
    pauses: [{ from: Date.now() - 30 * minuteMs, to: Date.now() - 24 * minuteMs }],
  })
  await watch()
  expect(kinds(service)).toEqual([])
  await db
    .updateTable('races')
    .set({ started_at: ago(66 * minuteMs + 5000) })
    .where('id', '=', race)
    .execute()
  await watch()
  await watch()
  expect(kinds(service)).toEqual(['stint-over'])

  // The next driver.
  const stint = { session_id: sessionId, id: randomUUID(), driver_id: null }
  await db
    .insertInto('stints')
    .values({ ...stint, from_at: ago(minuteMs) })
    .execute()
  await watch()
  expect(kinds(service)).toEqual(['stint-over'])
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

test('the phone that drives gets no notification', async () => {
  await using made = await scene()
  const { db, service, sessionId, loginId, node } = made
  await db
    .updateTable('sessions')
    .set({ driving_login_id: loginId })
    .where('id', '=', sessionId)
    .execute()
  await contact(db, sessionId, 0)
  const { events } = node()
  events.record({ sessionId, kind: 'problem', occurrence: 1 })
  await events.close()
  expect(kinds(service)).toEqual([])
  await contact(db, sessionId, 11 * 60_000)
  const later = node()
  later.events.record({ sessionId, kind: 'problem', occurrence: 2 })
  await later.events.close()
  expect(kinds(service)).toEqual(['problem'])
})

// The embedded database has one connection.
test.runIf(process.env.TEST_DATABASE_URL)(
  'many events at once do not occupy all database connections',
  async () => {
    await using made = await scene()
    const { db, sessionId, node } = made
    const { events } = node()
    const occurrences = Array.from({ length: 40 }, (_, index) => index + 1)
    await db.transaction().execute(async trx => {
      await sql`lock table team_events in exclusive mode`.execute(trx)
      for (const occurrence of occurrences)
        events.record({ sessionId, kind: 'problem', occurrence })
      await expect.poll(() => waitingFor(db)).toBe(eventsAtOnce)
    })
    await events.close()
    const stored = await db.selectFrom('team_events').select('occurrence').execute()
    expect(stored.map(({ occurrence }) => occurrence).sort((a, b) => a - b)).toEqual(occurrences)
  },
)

test('an event that is recorded again while it is being stored is stored once', async () => {
  await using made = await scene()
  const { db, sessionId, node, service } = made
  const { events } = node()
  for (let count = 0; count < 3; count++)
    events.record({ sessionId, kind: 'problem', occurrence: 1 })
  await events.close()
  expect(kinds(service)).toEqual(['problem'])
  expect(await db.selectFrom('team_events').select('occurrence').execute()).toHaveLength(1)
})
