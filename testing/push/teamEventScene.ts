import type { EpochMs } from '#contract/ids.ts'
import type { TeamEventKind } from '#contract/teamEvents.ts'
import { createLog } from '#server/log.ts'
import { SilentPhones } from '#server/notifications/silentPhones.ts'
import { storeSubscription } from '#server/notifications/subscriptions.ts'
import { TeamEvents } from '#server/notifications/teamEvents.ts'
import { vapidKeys } from '#server/notifications/vapidKeys.ts'
import { watchOnce } from '#server/notifications/watchCars.ts'
import { createResolver } from '#server/publicHost.ts'
import { RateLimits } from '#server/rateLimit/rateLimits.ts'
import { stoppedClock } from '../clock.ts'
import { testDatabase } from '../database/database.ts'
import { pastSession } from '../live/drivenLaps.ts'
import { kindOf, PushService } from './pushService.ts'

const longAgo = 0

/**
 * Several nodes with one database, one push service, and a member of the team with a browser. Their time of day is
 * frozen, so that no event gets too old on a busy machine.
 */
export async function teamEventScene() {
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
  const clock = stoppedClock()
  const now = clock.now()
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
    const ahead = { ...clock, aheadMs: clockAheadMs, now: () => clock.now() + ahead.aheadMs }
    const published: TeamEventKind[] = []
    const sender = {
      keys,
      contact: 'mailto:race@example.com',
      allowLoopback: true,
      resolver: createResolver(),
    }
    const events = new TeamEvents({
      db,
      clock: ahead,
      rateLimits: new RateLimits(clock),
      sender,
      publicUrl: () => 'http://localhost',
      log: createLog('silent'),
      live: {
        publish: (_, event) => {
          if (event.t === 'team-event') published.push(event.event.kind)
        },
      },
    })
    /** The silences that this node published, and their ends. */
    const silences: (EpochMs | null)[] = []
    const silentPhones = new SilentPhones(
      {
        db,
        clock: ahead,
        log: createLog('silent'),
        events,
        recorder: { latest: () => undefined },
        publish: (_, event) => {
          if (event.t === 'silent') silences.push(event.since)
        },
      },
      longAgo,
    )
    return { db, clock: ahead, events, published, silentPhones, silences }
  }
  return {
    db,
    clock,
    service,
    sessionId,
    teamId: team_id,
    startMs,
    loginId: login.id,
    node,
    /** Lets some nodes look at the cars, and resolves once everything is sent. */
    async watch(count = 3, clockAheadMs = 0) {
      const nodes = Array.from({ length: count }, () => node(clockAheadMs))
      await Promise.all(nodes.map(each => each.silentPhones.check()))
      await Promise.all(nodes.map(each => watchOnce(each)))
      await Promise.all(nodes.map(({ events }) => events.close()))
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

export type TeamEventScene = Awaited<ReturnType<typeof teamEventScene>>

/** Kinds of the notifications that the push service received, in their order. */
export function receivedKinds(service: PushService) {
  return service.received.map(kindOf)
}

/** Sets the last contact of the session's phone to some time ago. */
export async function setContact({ db, clock, sessionId }: TeamEventScene, agoMs: number) {
  await db
    .updateTable('newest_fixes')
    .set({ last_driver_contact: new Date(clock.now() - agoMs) })
    .where('session_id', '=', sessionId)
    .execute()
}
