import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Down, RoomName, Up } from '#contract/live.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import { testDatabase } from '#testing/database/database.ts'
import { systemClock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { createLog } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { TeamEvents } from '../notifications/teamEvents.ts'
import { RateLimits } from '../rateLimit/rateLimits.ts'
import { Recorder } from '../telemetry/recorder.ts'
import { createRecordFix } from '../telemetry/recordFix.ts'
import { ConnectionHandler } from './connectionHandler.ts'
import { createLiveContext } from './context.ts'
import { noopBus } from './publish/bus.ts'
import type { Connection } from './publish/connection.ts'
import { jsonsIn } from './publish/frame.ts'
import { Hub } from './publish/hub.ts'
import { createLive, type Live } from './publish/live.ts'
import { maxHeldEvents } from './publish/room.ts'

let scene: HandlerScene

beforeEach(async () => {
  scene = await handlerScene()
})
afterEach(() => scene[Symbol.asyncDispose]())

test('a non-member receives nothing while their access is checked (R2, R3)', async () => {
  const { room, session } = scene
  const stranger = await scene.connect({ isMember: false })
  const member = await scene.connect({ isMember: true })
  member.send({ t: 'subscribe', room })
  await member.waitFor('snapshot')

  await holdingDatabase(async () => {
    for (const at of [room, `team:${scene.team}`, `user:${member.userId}`] as const)
      stranger.send({ t: 'subscribe', room: at })
    await publishAll()
    stranger.send({ t: 'heartbeat', at: 1 })
    expect(await stranger.waitFor('heartbeat')).toMatchObject({ versions: {} })
  })
  await member.waitFor('message')
  for (let refused = 0; refused < 3; )
    refused = (await nextTick(), stranger.received.filter(({ t }) => t === 'refused').length)

  expect(typesOf(stranger.received)).toEqual([
    'welcome',
    'heartbeat',
    'refused',
    'refused',
    'refused',
  ])
  expect(typesOf(member.received)).toContain('fix')
  expect(session).not.toBe('')
})

test('a snapshot that took too long is refused with what clients repeat', async () => {
  const member = await scene.connect({ isMember: true })
  scene.onRead(() => {
    throw Object.assign(new Error('canceling statement due to statement timeout'), {
      code: '57014',
    })
  })
  member.send({ t: 'subscribe', room: scene.room })
  expect(await member.waitFor('refused')).toMatchObject({ re: 'subscribe', code: 'not-ready' })
  scene.onRead(() => {})
  member.send({ t: 'subscribe', room: scene.room })
  await member.waitFor('snapshot')
})

test('events published while a member enters follow the snapshot (R3)', async () => {
  const member = await scene.connect({ isMember: true })
  const openBus = scene.holdBus()
  const subscribed = scene.busRequested()
  member.send({ t: 'subscribe', room: scene.room })
  await subscribed
  // Before the read: the snapshot contains these.
  await publishAll()
  member.send({ t: 'heartbeat', at: 1 })
  expect(await member.waitFor('heartbeat')).toMatchObject({ versions: {} })
  scene.onRead(() => scene.live.publish(scene.room, testFlash(2)))
  openBus()
  await member.waitFor('test')

  expect(typesOf(member.received)).toEqual(['welcome', 'heartbeat', 'snapshot', 'test'])
  expect(member.received.at(-1)).toMatchObject({ at: 2 })
})

test('a member removed while entering receives only a refusal (R4)', async () => {
  const { room, team } = scene
  const member = await scene.connect({ isMember: true })
  const openBus = scene.holdBus()
  const subscribed = scene.busRequested()
  member.send({ t: 'subscribe', room })
  await subscribed
  await scene.open.db.deleteFrom('team_access').where('user_id', '=', member.userId).execute()
  scene.live.evict(team, member.userId)
  await publishAll()
  openBus()

  expect(await member.waitFor('refused')).toMatchObject({ room, code: 'not-a-member' })
  expect(typesOf(member.received)).toEqual(['welcome', 'refused'])
})

test('a snapshot read before an eviction is read again (R4)', async () => {
  const { room, team } = scene
  const member = await scene.connect({ isMember: true })
  let reads = 0
  scene.onRead(() => {
    reads += 1
    if (reads === 1) scene.live.evict(team, member.userId)
  })
  member.send({ t: 'subscribe', room })
  await member.waitFor('snapshot')
  expect(reads).toBe(2)
})

test('a snapshot is read again if more events follow than can be held back (R3)', async () => {
  const member = await scene.connect({ isMember: true })
  let reads = 0
  scene.onRead(() => {
    reads += 1
    const events = reads === 1 ? maxHeldEvents + 1 : 1
    for (let n = 1; n <= events; n++) scene.live.publish(scene.room, testFlash(n))
  })
  member.send({ t: 'subscribe', room: scene.room })
  await member.waitFor('test')
  expect(reads).toBe(2)
  expect(typesOf(member.received)).toEqual(['welcome', 'snapshot', 'test'])
})

test('a subscriber receives events while another snapshot of the room is read (R3)', async () => {
  const member = await scene.connect({ isMember: true })
  member.send({ t: 'subscribe', room: scene.room })
  await member.waitFor('snapshot')
  const openBus = scene.holdBus()
  const subscribed = scene.busRequested()
  member.send({ t: 'subscribe', room: scene.room })
  await subscribed
  scene.live.publish(scene.room, testFlash(1))
  await member.waitFor('test')
  expect(typesOf(member.received)).toEqual(['welcome', 'snapshot', 'test'])
  openBus()
  while (typesOf(member.received).length < 4) await nextTick()
})

/** Blocks all database reads, of access rights and snapshots, while `act` runs. */
async function holdingDatabase(act: () => Promise<void>) {
  await scene.open.db.transaction().execute(async trx => {
    await trx.schema.alterTable('memberships').addColumn('held', 'integer').execute()
    await act()
  })
}

/** Publishes a message, a receipt and a position to the session's room, and a new session to the team's. */
async function publishAll() {
  const { live, room, session } = scene
  const at = 1_700_000_000_000
  live.publish(room, {
    t: 'message',
    session,
    message: {
      version: 1,
      type: 'Pit',
      pressedAt: at,
      sentAt: at,
      sentBy: null,
      reachedAt: null,
      shownAt: null,
      copiedAt: null,
      expiresAt: null,
    },
  })
  live.publish(room, {
    t: 'receipt',
    session,
    version: 1,
    receipt: { reachedAt: at, shownAt: null, copiedAt: null },
  })
  live.publish(room, { t: 'fix', s: session, c: at, at, la: 50.4, lo: 5.9, v: 120, ac: 4 })
  live.publish(`team:${scene.team}`, { t: 'session-ended', team: scene.team, session })
  await nextTick()
}

function testFlash(at: number): Down {
  return { t: 'test', session: scene.session, at }
}

function typesOf(frames: readonly Down[]): string[] {
  return frames.map(({ t }) => t)
}

/** One connection without a socket: its frames are handled at once, and responses are in `received`. */
interface SceneClient {
  userId: string
  received: Down[]
  send(up: Up): void
  /** Resolves once a frame of this type was received. */
  waitFor(t: Down['t']): Promise<Down>
}

/** The live code on a real database, without sockets. Tests run code between its steps. */
interface HandlerScene extends AsyncDisposable {
  open: Database
  live: Live
  team: string
  session: string
  room: RoomName
  /** Opens a connection of a new user, after its hello. */
  connect(who: { isMember: boolean }): Promise<SceneClient>
  /** Sets a callback that runs while a session's snapshot is read, after its row was read. */
  onRead(act: () => void): void
  /** Delays bus subscriptions, and so entering rooms, until the returned function is called. */
  holdBus(): () => void
  /** Resolves once a room waits for its bus subscription. */
  busRequested(): Promise<void>
}

async function handlerScene(): Promise<HandlerScene> {
  const made = await testDatabase()
  const { db, commandDb, readDb } = made.open
  const log = createLog('silent')
  const hub = new Hub({ opened: () => {}, closed: () => {} })
  const live = createLive(hub, noopBus)
  const [owner, team, session] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into users (id, email) values (${owner}, 'owner@example.com')`.execute(db)
  await sql`insert into teams (id, name) values (${team}, 'Owls')`.execute(db)
  await sql`insert into sessions (id, team_id, user_id, name)
    values (${session}, ${team}, ${owner}, 'Stint 1')`.execute(db)

  let act: () => void = () => {}
  class WatchedRecorder extends Recorder {
    override latest() {
      act()
      return undefined
    }
  }
  const rateLimits = new RateLimits(systemClock)
  let bus: Promise<void> = noopBus.listening()
  const waiting = new Set<() => void>()
  const [recorder, metrics] = [
    new WatchedRecorder({ db, engine: made.open.engine }, log, systemClock),
    new Metrics(),
  ]
  const context = createLiveContext(
    {
      db,
      commandDb,
      readDb,
      log,
      clock: systemClock,
      live,
      events: new TeamEvents({
        db,
        log,
        clock: systemClock,
        rateLimits,
        live,
        sender: null,
        publicUrl: () => '',
      }),
      metrics,
      recorder,
      recordFix: createRecordFix({
        clock: systemClock,
        live,
        recorder,
        metrics,
        fixesPerSecond: 10,
      }),
    },
    {
      hub,
      silentIn: () => ({}),
      listening() {
        for (const wake of waiting) wake()
        return bus
      },
    },
  )

  async function connect({ isMember }: { isMember: boolean }): Promise<SceneClient> {
    const userId = randomUUID()
    await sql`insert into users (id, email) values (${userId}, ${`${userId}@example.com`})`.execute(
      db,
    )
    if (isMember)
      await db.insertInto('team_access').values({ user_id: userId, team_id: team }).execute()
    const received: Down[] = []
    const awaited = new Set<() => void>()
    const connection: Connection = {
      id: randomUUID(),
      userId,
      loginId: randomUUID(),
      isOpen: true,
      backlogBytes: 0,
      send(frame) {
        for (const json of jsonsIn(frame)) received.push(JSON.parse(json.toString()) as Down)
        for (const wake of awaited) wake()
      },
      hold: () => {},
      release: () => {},
      close: () => {},
    }
    hub.add(connection)
    const caller = {
      userId,
      loginId: connection.loginId,
      kind: 'account' as const,
      isAnonymous: false,
      scopes: null,
      withPasskey: false,
      expiresAt: Infinity,
    }
    const handler = new ConnectionHandler(context, connection, { caller, address: undefined })
    handler.onMessage(JSON.stringify({ t: 'hello', protocol }))
    return {
      userId,
      received,
      send: up => handler.onMessage(JSON.stringify(up)),
      async waitFor(t) {
        for (;;) {
          const frame = received.find(each => each.t === t)
          if (frame) return frame
          await new Promise<void>(resolve => awaited.add(resolve))
        }
      },
    }
  }

  return {
    open: made.open,
    live,
    team,
    session,
    room: `session:${session}`,
    connect,
    onRead: next => {
      act = next
    },
    holdBus() {
      const { promise, resolve } = gate()
      bus = promise
      return resolve
    },
    busRequested: () =>
      new Promise<void>(resolve => {
        waiting.add(resolve)
      }),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  }
}

function gate() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>(open => {
    resolve = open
  })
  return { promise, resolve }
}
