import type { IncomingMessage, Server } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '#contract/clock.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Authenticate } from '../auth/authenticate.ts'
import { networkLimits } from '../rateLimit/network.ts'
import { type Allowance, type CountTogether, RateLimiter } from '../rateLimit/rateLimiter.ts'
import { ClientAddresses } from './clientAddress.ts'

/** Calls a minute of one login, or of one network without a login, to all that has no limit of its own. */
export const callsPerMinute = 1200
/** WebSockets a minute: a client with a bad network opens one every few seconds. */
export const upgradesPerMinute = 120
/** A stranger is refused after a handshake, which costs 2 to 5 ms of CPU. */
export const strangersUpgradesPerMinute = 60

/** All logins of a user together may do as much as this many: signing in again gives no new allowance. */
const loginsPerUser = 2

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
    this.#count(raw, { name: 'calls', perMinute: callsPerMinute })
  }

  /** Counts a request for a WebSocket. Refuses with `too-many`. */
  countUpgrade(request: IncomingMessage) {
    this.#count(request, {
      name: 'upgrades',
      perMinute: upgradesPerMinute,
      ofNetwork: strangersUpgradesPerMinute,
    })
  }

  #count(request: IncomingMessage, limit: Limit) {
    const { name, perMinute, ofNetwork = perMinute } = limit
    const identified = this.#identify(request.headers)
    if (identified) {
      const { kind, id, owner } = identified
      const perOwner = {
        key: `${name} ${kind} owner ${owner}`,
        perMinute: perMinute * loginsPerUser,
      }
      const own = { key: `${name} ${kind} ${id}`, perMinute }
      return requireAllowed(this.#logins.consume([own, perOwner]))
    }
    const allowances = networkLimits(this.#addresses.of(request), ofNetwork).map(
      (each): Allowance => ({ key: `${name} from ${each.network}`, perMinute: each.limit }),
    )
    requireAllowed(this.#networks.consume(allowances))
  }
}

interface Limit {
  name: string
  perMinute: number
  ofNetwork?: number
}

/** By the route that answers, not by the address as it was written, which may be escaped. */
function isCall(request: FastifyRequest): boolean {
  return request.routeOptions.url?.startsWith('/api') === true
}

function limitOf({ routeOptions: { url = '', config } }: FastifyRequest): Limit {
  return config.callsPerMinute === undefined
    ? { name: 'calls', perMinute: callsPerMinute }
    : { name: url, perMinute: config.callsPerMinute }
}

function requireAllowed(retryAfterSeconds: number) {
  if (retryAfterSeconds > 0) throw new Refusal('too-many', { retryAfterSeconds })
}
