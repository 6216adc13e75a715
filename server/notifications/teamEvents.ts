import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { type NotificationKind, notificationLifeMs } from '#contract/teamEvents.ts'
import type { EventRecorder, SessionEvent } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import type { Log } from '../log.ts'
import type { RateLimits } from '../rateLimit/rateLimits.ts'
import {
  declarativePush,
  type Shown,
  shownEvent,
  shownTest,
  shownWaiting,
} from './declarativePush.ts'
import { type PushMessage, type PushSender, sendPush } from './sendPush.ts'
import { type HappenedEvent, type StoredEvent, storeEvent, topicOf } from './storedEvents.ts'
import {
  deleteDead,
  recipients,
  type StoredSubscription,
  subscriptionOf,
  waitingName,
} from './subscriptions.ts'

/** Maximum number of events of a team that are published and sent in an hour. */
export const maxEventsAnHour = 120

/**
 * Maximum number of events that use the database at the same time. If the phones of many cars become silent at once,
 * their events would otherwise occupy all connections, and time out while they wait for one.
 */
export const eventsAtOnce = 3

/** Maximum number of notifications of one event that are sent at the same time. */
const sentAtOnce = 20

/** Maximum number sent to one user at the same time: their push services may never respond. */
const sentAtOnceToUser = 2

/** A request to a push service that is busy or unreachable is retried once after this time. */
const retryAfterMs = 5000

/** Errors of a push service, or of its name server, that may be over in a moment. */
const passing = /^(ECONNREFUSED|ENOTFOUND|ESERVFAIL|ETIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/

/** A notification to members of a team. */
interface Notice {
  teamId: TeamId
  kind: NotificationKind
  at: EpochMs
  topic: string
  shown: Shown
}

interface Services {
  db: Kysely<Tables>
  live: Pick<Live, 'publish'>
  log: Log
  clock: Clock
  rateLimits: RateLimits
  /** Null if this server sends no notifications. */
  sender: PushSender | null
  publicUrl(): string
}

/** Records the events of sessions, and notifies the members of their teams: on open pages, and by Web Push. */
export class TeamEvents implements EventRecorder {
  readonly #services: Services
  readonly #useDatabase = pLimit(eventsAtOnce)
  /** Events that are being stored and sent, by session, kind and occurrence. */
  readonly #running = new Map<string, Promise<void>>()
  /** Users with notifications that are being sent or queued. */
  readonly #users = new Map<UserId, { limit: LimitFunction; notifications: number }>()
  /** Functions that cancel the pending retries. */
  readonly #retries = new Set<() => void>()
  /** Resolves in the turn of the event loop in which the newest notification is encrypted. */
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(services: Services) {
    this.#services = services
  }

  get sender(): PushSender | null {
    return this.#services.sender
  }

  record({ byLogin, at, ...event }: SessionEvent) {
    const { clock, log } = this.#services
    const { sessionId, kind, occurrence } = event
    const now = clock.now()
    const happened = { ...event, at: Math.min(at ?? now, now) }
    const key = `${sessionId} ${kind} ${occurrence}`
    if (this.#isClosed || this.#running.has(key) || isPast(happened.at, now)) return
    const running = this.#notify(happened, byLogin).catch((error: unknown) => {
      log.error({ err: error, sessionId, kind }, 'failed to notify the team')
    })
    this.#run(key, running)
  }

  recordJoinRequest({ teamId, userId }: { teamId: TeamId; userId: UserId }) {
    const key = `${teamId} ${userId}`
    if (this.#isClosed || this.#running.has(key)) return
    const running = this.#notifyOfWaiting(teamId, userId).catch((error: unknown) => {
      this.#services.log.error({ err: error, teamId }, 'failed to notify the team')
    })
    this.#run(key, running)
  }

  #run(key: string, running: Promise<void>) {
    this.#running.set(
      key,
      running.finally(() => this.#running.delete(key)),
    )
  }

  /** Sends a test notification to the browser of a login. Returns whether its push service accepted it. */
  async sendTest(loginId: string): Promise<boolean> {
    const { db, publicUrl } = this.#services
    const subscription = await subscriptionOf(db, loginId)
    if (!subscription) return false
    const result = await this.#send(subscription, {
      payload: declarativePush(shownTest, publicUrl()),
      ttlS: notificationLifeMs / 1000,
      topic: topicOf(loginId),
    })
    if (result === 'dead') await deleteDead(db, subscription)
    return result === 'sent'
  }

  /** Waits for the notifications that are being sent. */
  async close() {
    this.#isClosed = true
    for (const cancel of this.#retries) cancel()
    await Promise.all(this.#running.values())
  }

  async #notify(happened: HappenedEvent, byLogin: string | undefined) {
    const stored = await this.#useDatabase(() => this.#storeAndPublish(happened))
    if (!stored || !this.sender) return
    const { event, topic } = stored
    const notice = { ...event, topic, shown: shownEvent(event) }
    const all = await this.#recipients(notice)
    await this.#sendAll(
      notice,
      all.filter(({ loginId }) => loginId !== byLogin),
    )
  }

  async #notifyOfWaiting(teamId: TeamId, userId: UserId) {
    const { db, clock } = this.#services
    // Requests to join have a limit of their own: they never use up that of the cars' events.
    if (!this.sender || !this.#isWithinLimit(teamId, 'team-waiting')) return
    const name = await this.#useDatabase(() => waitingName(db, teamId, userId))
    // Another member may have answered the request already.
    if (name === undefined) return
    const shown = shownWaiting(teamId, name)
    const notice = {
      teamId,
      kind: 'waiting',
      at: clock.now(),
      topic: topicOf(teamId),
      shown,
    } as const
    await this.#sendAll(notice, await this.#recipients(notice))
  }

  /** Returns null if the team is not notified. */
  async #storeAndPublish(happened: HappenedEvent): Promise<StoredEvent | null> {
    const { db, live, clock } = this.#services
    const stored = await storeEvent(db, happened)
    // The event may have been queued for too long.
    if (!stored || isPast(happened.at, clock.now())) return null
    const { event } = stored
    if (!this.#isWithinLimit(event.teamId, 'team-events')) return null
    live.publish(`team:${event.teamId}`, { t: 'team-event', event })
    return stored
  }

  #recipients({ teamId, kind }: Notice): Promise<StoredSubscription[]> {
    const { db, clock } = this.#services
    return this.#useDatabase(() => recipients(db, { teamId, kind, now: clock.now() }))
  }

  #isWithinLimit(teamId: TeamId, what: 'team-events' | 'team-waiting'): boolean {
    const limit = { what, key: teamId, limit: maxEventsAnHour }
    return this.#services.rateLimits.tryConsume({ ...limit, windowMs: hourMs })
  }

  /** Sends to each user separately, so that one whose push services do not respond holds up nobody else. */
  async #sendAll(notice: Notice, subscriptions: readonly StoredSubscription[]) {
    const atOnce = pLimit(sentAtOnce)
    const users = new Set(subscriptions.map(({ userId }) => userId))
    await Promise.all(
      [...users].map(async user => {
        const own = subscriptions.filter(({ userId }) => userId === user)
        const deliver = (each: StoredSubscription) =>
          this.#toUser(user, () => atOnce(() => this.#deliver(notice, each)))
        const failed = await undelivered(own, deliver)
        if (failed.length === 0 || !(await this.#waitForRetry())) return
        // The user may have lost access to the team since.
        const known = await this.#recipients(notice)
        const still = known.filter(each =>
          failed.some(({ endpoint }) => endpoint === each.endpoint),
        )
        await undelivered(still, deliver)
      }),
    )
  }

  /** Limits what is sent to a user at the same time, of all events. */
  async #toUser<Result>(userId: UserId, send: () => Promise<Result>): Promise<Result> {
    const user = this.#users.get(userId) ?? { limit: pLimit(sentAtOnceToUser), notifications: 0 }
    this.#users.set(userId, user)
    user.notifications += 1
    try {
      return await user.limit(send)
    } finally {
      user.notifications -= 1
      if (user.notifications === 0) this.#users.delete(userId)
    }
  }

  /** Resolves with false if the server stops before. */
  #waitForRetry(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    return new Promise(resolve => {
      const end = (isOver: boolean) => {
        cancelTimer()
        this.#retries.delete(cancel)
        resolve(isOver)
      }
      const cancel = () => end(false)
      const cancelTimer = this.#services.clock.after(retryAfterMs, () => end(true))
      this.#retries.add(cancel)
    })
  }

  /** Returns false if a retry may help. */
  async #deliver({ at, topic, shown }: Notice, subscription: StoredSubscription): Promise<boolean> {
    const ttlS = Math.floor((at + notificationLifeMs - this.#services.clock.now()) / 1000)
    if (ttlS <= 0) return true
    const result = await this.#send(subscription, {
      payload: declarativePush(shown, this.#services.publicUrl()),
      ttlS: Math.min(ttlS, notificationLifeMs / 1000),
      topic,
    })
    if (result === 'dead')
      await this.#useDatabase(() => deleteDead(this.#services.db, subscription))
    return result !== 'busy'
  }

  /**
   * Resolves in a later turn of the event loop than for all earlier callers. Encrypting a notification takes about
   * 1 ms: twenty in one turn would delay the live connections by 13 ms or more.
   */
  #nextTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => nextTurn())
    return this.#turn
  }

  async #send(
    subscription: StoredSubscription,
    message: PushMessage,
  ): Promise<'sent' | 'dead' | 'busy' | 'refused'> {
    const { log } = this.#services
    if (!this.sender) return 'refused'
    const { loginId } = subscription
    try {
      await this.#nextTurn()
      const status = await sendPush(this.sender, subscription, message)
      if (status >= 200 && status < 300) return 'sent'
      if (status === 404 || status === 410) return 'dead'
      log.warn({ status, loginId }, 'push service did not accept a notification')
      return status === 429 || status >= 500 ? 'busy' : 'refused'
    } catch (error) {
      log.warn({ err: error, loginId }, 'failed to send a notification')
      return isPassing(error) ? 'busy' : 'refused'
    }
  }
}

/** True if an event is too old to notify anybody of it. */
function isPast(at: EpochMs, now: EpochMs): boolean {
  return at <= now - notificationLifeMs
}

/** Returns the subscriptions for which `deliver` returned false. */
async function undelivered(
  subscriptions: readonly StoredSubscription[],
  deliver: (subscription: StoredSubscription) => Promise<boolean>,
): Promise<StoredSubscription[]> {
  const results = await Promise.all(subscriptions.map(deliver))
  return subscriptions.filter((_, index) => !results[index])
}

/** True for an error after which a retry may help. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || ('code' in error && passing.test(String(error.code)))
}
