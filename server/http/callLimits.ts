import type { IncomingMessage, Server } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '#contract/clock.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Authenticate, Identified } from '../auth/authenticate.ts'
import { networkLimits } from '../rateLimit/network.ts'
import { type Allowance, type CountTogether, RateLimiter } from '../rateLimit/rateLimiter.ts'
import { ClientAddresses } from './clientAddress.ts'

/** Calls a minute of one login, or of one network without a login, to all that has no limit of its own. */
export const callsPerMinute = 1200
/** Calls a minute of a browser in which somebody signed in before and that sends no login now. */
export const browserCallsPerMinute = 120
/** WebSockets a minute: a client with a bad network opens one every few seconds. */
export const upgradesPerMinute = 120
/** A stranger is refused after a handshake, which costs 2 to 5 ms of CPU. */
export const strangersUpgradesPerMinute = 60

/**
 * All logins of a user together may do as much as this many, and so may all browsers of a person: signing in
 * again gives no new allowance.
 */
const shareOfOwner = 2

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Calls a minute, counted apart from all other calls. Without it they share `callsPerMinute`. */
    callsPerMinute?: number | undefined
  }
}

interface Settings {
  clock: Clock
  log: FastifyBaseLogger
  trustProxy: readonly string[]
  identify: Authenticate['identify']
  /** With other nodes: all of them count together. */
  countTogether?: CountTogether | undefined
}

/**
 * Limits on calls. What comes with a login is counted by that login and its user, all else by its network:
 * whoever shares a network address with a team cannot use up what the team may do. Everything here happens
 * in memory, before the database is asked. What is dear or dangerous (codes, invitations, uploads) has
 * limits of its own besides.
 */
export class CallLimits {
  readonly #identify: Settings['identify']
  readonly #addresses: ClientAddresses
  /** Apart from each other: a flood from many networks must not push out what logins have consumed. */
  readonly #logins: RateLimiter
  readonly #networks: RateLimiter

  constructor({ clock, log, trustProxy, identify, countTogether }: Settings) {
    this.#identify = identify
    this.#addresses = new ClientAddresses(trustProxy)
    this.#logins = new RateLimiter({ clock, log, countTogether })
    this.#networks = new RateLimiter({ clock, log, countTogether })
  }

  /** Counts every call of the API before anything else looks at it. */
  addTo(app: FastifyInstance) {
    this.#addresses.watch(app.server as Server)
    app.addHook('onRequest', async request => {
      if (isCall(request)) this.#count(request.raw, limitOf(request))
    })
  }

  /** Counts a request that is refused before a route is found. */
  countUnrouted({ raw }: FastifyRequest) {
    this.#count(raw, callLimit('calls', callsPerMinute))
  }

  /** Counts a request for a WebSocket. Refuses with `too-many`. */
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

/** How often something may be done in a minute. */
interface Limit {
  name: string
  login: number
  /** By a browser that was used before. Without it such a browser counts as a part of its network. */
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

/** By the route that answers, not by the address as it was written, which may be escaped. */
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
