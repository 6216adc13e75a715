import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { networkLimits } from '../rateLimit/network.ts'
import { type Allowance, type CountTogether, RateLimiter } from '../rateLimit/rateLimiter.ts'
import { ClientAddresses } from './clientAddress.ts'

/**
 * Calls per minute of a login, or of a network without a login, to all routes without a limit of their own. Visits of
 * pages are counted separately, with the same limit.
 */
export const callsPerMinute = 1200
/** Calls per minute of a known browser that is signed out. */
export const browserCallsPerMinute = 120
/** WebSocket upgrades per minute: a client with a bad network reconnects every few seconds. */
export const upgradesPerMinute = 120
/** Lower without a login, because refusing costs a handshake: 2 to 5 ms of CPU. */
export const strangersUpgradesPerMinute = 60

/**
 * Factor for all logins of a user, or all browsers of a person, together: otherwise each sign-in would add
 * an allowance.
 */
const shareOfOwner = 2

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Rate limit of this route, per minute. Routes without one share `callsPerMinute`. */
    callsPerMinute?: number | undefined
  }
}

/** The rate limit key of a request. */
export interface Identified {
  kind: 'login' | 'browser'
  id: string
  /** Shared by all logins of one user, and by all browsers whose first sign-in was by the same person. */
  owner: string
}

/** Identifies the sender of a request; undefined if it is limited by its network. */
export type Identify = (headers: IncomingHttpHeaders) => Identified | undefined

interface Settings {
  clock: Clock
  log: FastifyBaseLogger
  trustProxy: readonly string[]
  identify: Identify
  /** Shares the counts with the other nodes, if there are any. */
  countTogether?: CountTogether | undefined
}

/**
 * Rate limits of calls. Requests with a login count by login and user, all others by network, so that
 * strangers on a team's network cannot exhaust the team's limit. Counting is in memory, before any database
 * query. Expensive or sensitive calls (codes, invitations, uploads) have additional limits.
 */
export class CallLimits {
  readonly #identify: Settings['identify']
  readonly #addresses: ClientAddresses
  /** Separate caches: a flood from many networks must not evict the counts of logins. */
  readonly #logins: RateLimiter
  readonly #networks: RateLimiter

  constructor({ clock, log, trustProxy, identify, countTogether }: Settings) {
    this.#identify = identify
    this.#addresses = new ClientAddresses(trustProxy)
    this.#logins = new RateLimiter({ clock, log, countTogether })
    this.#networks = new RateLimiter({ clock, log, countTogether })
  }

  /** Counts every API call and visit of a page before any other hook handles it. */
  addTo(app: FastifyInstance) {
    this.#addresses.watch(app.server as Server)
    app.addHook('onRequest', async request => {
      if (isCall(request)) this.#count(request.raw, limitOf(request))
      // Pages have no routes of their own: the app decides what to show.
      else if (request.routeOptions.url === undefined)
        this.#count(request.raw, callLimit('pages', callsPerMinute))
    })
  }

  /** Counts a request that is refused before a route is found. */
  countUnrouted({ raw }: FastifyRequest) {
    this.#count(raw, callLimit('calls', callsPerMinute))
  }

  /** Counts a WebSocket upgrade request. Refuses with `too-many`. */
  countUpgrade(request: IncomingMessage) {
    this.#count(request, {
      name: 'upgrades',
      login: upgradesPerMinute,
      network: strangersUpgradesPerMinute,
    })
  }

  #count(request: IncomingMessage, limit: Limit) {
    const identified = this.#identify(request.headers)
    const perMinute = identified && limit[identified.kind]
    const consumed = perMinute
      ? this.#logins.consume(allowancesOf(identified, { name: limit.name, perMinute }))
      : this.#networks.consume(
          networkLimits(this.#addresses.of(request), limit.network).map(each => ({
            key: `${limit.name} from ${each.network}`,
            perMinute: each.limit,
          })),
        )
    requireAllowed(consumed)
  }
}

/** Limits per minute, by kind of client. */
interface Limit {
  name: string
  login: number
  /** For known browsers without a login. If undefined, they count as part of their network. */
  browser?: number
  network: number
}

function callLimit(name: string, perMinute: number): Limit {
  const browser = Math.min(perMinute, browserCallsPerMinute)
  return { name, login: perMinute, browser, network: perMinute }
}

function allowancesOf(
  { kind, id, owner }: Identified,
  { name, perMinute }: { name: string; perMinute: number },
): Allowance[] {
  return [
    { key: `${name} ${kind} ${id}`, perMinute },
    { key: `${name} ${kind} owner ${owner}`, perMinute: perMinute * shareOfOwner },
  ]
}

/** Checks the matched route, because the request's URL may be percent-encoded. */
function isCall(request: FastifyRequest): boolean {
  return request.routeOptions.url?.startsWith('/api') === true
}

function limitOf({ routeOptions: { url = '', config } }: FastifyRequest): Limit {
  return config.callsPerMinute === undefined
    ? callLimit('calls', callsPerMinute)
    : callLimit(url, config.callsPerMinute)
}

function requireAllowed(retryAfterSeconds: number) {
  if (retryAfterSeconds > 0) throw new Refusal('too-many', { retryAfterSeconds })
}
