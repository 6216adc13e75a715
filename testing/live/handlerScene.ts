import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Down, RoomName, Up } from '#contract/live.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { ConnectionHandler } from '#server/live/connectionHandler.ts'
import { createLiveContext } from '#server/live/context.ts'
import { noopBus } from '#server/live/publish/bus.ts'
import type { Connection } from '#server/live/publish/connection.ts'
import { jsonsIn } from '#server/live/publish/frame.ts'
import { Hub } from '#server/live/publish/hub.ts'
import { createLive, type Live } from '#server/live/publish/live.ts'
import { createLog } from '#server/log.ts'
import { Metrics } from '#server/metrics.ts'
import { TeamEvents } from '#server/notifications/teamEvents.ts'
import { RateLimits } from '#server/rateLimit/rateLimits.ts'
import { Recorder } from '#server/telemetry/recorder.ts'
import { createRecordFix } from '#server/telemetry/recordFix.ts'
import { testDatabase } from '../database/database.ts'

/** One connection without a socket: its frames are handled at once, and responses are in `received`. */
export interface SceneClient {
  userId: string
  received: Down[]
  send(up: Up): void
  /** Resolves once a frame of this type was received. */
  waitFor(t: Down['t']): Promise<Down>
}

/** The live code on a real database, without sockets. Tests run code between its steps. */
export interface HandlerScene extends AsyncDisposable {
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

export async function handlerScene(): Promise<HandlerScene> {
  const made = await testDatabase()
  const { db, commandDb } = made.open
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
      log,
      clock: systemClock,
      live,
      events: new TeamEvents({ db, log, clock: systemClock, rateLimits, live, sender: null }),
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
