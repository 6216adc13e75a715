import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { minuteMs } from '#contract/shared/durations.ts'
import { networkOf } from '../rateLimit/network.ts'
import type { Rate, RateLimits } from '../rateLimit/rateLimits.ts'
import { ClientAddresses } from './clientAddress.ts'

/** How often a client may make each call, by the class of the call. */
export const callLimits = {
  ordinary: { limit: 120, windowMs: minuteMs },
  /** Calls that need no login: without one, everybody in a paddock may have the same IP address. */
  open: { limit: 300, windowMs: minuteMs },
  costly: { limit: 12, windowMs: minuteMs },
  rare: { limit: 120, windowMs: 60 * minuteMs },
  /** Everything else, counted together: pages, unknown paths, and calls for which the login is missing. */
  other: { limit: 1200, windowMs: minuteMs },
} satisfies Record<string, Rate>

export type CallClass = keyof typeof callLimits

/** Factor for all logins of a user together: otherwise each sign-in would add to what the user may do. */
const shareOfOwner = 2

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Class of the rate limit of this route, which is counted by itself. Default: `other`. */
    limit?: CallClass | undefined
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
  rateLimits: RateLimits
  trustProxy: readonly string[]
  identify: Identify
}

/**
 * Rate limits of calls, pages and WebSocket upgrades. Requests with a login count by login and user, all others by
 * network, so that strangers on a team's network cannot use up what the team may do. Counted before any query.
 */
export class CallLimits {
  readonly #limits: RateLimits
  readonly #identify: Settings['identify']
  readonly #addresses: ClientAddresses

  constructor({ rateLimits, trustProxy, identify }: Settings) {
    this.#limits = rateLimits
    this.#identify = identify
    this.#addresses = new ClientAddresses(trustProxy)
  }

  /** Counts every call of the API or a development page, and every visit of a page before any other hook handles it. */
  addTo(app: FastifyInstance) {
    this.#addresses.watch(app.server as Server)
    app.addHook('onRequest', async request => {
      const { url, config } = request.routeOptions
      // The matched route, because the request's URL may be percent-encoded. Pages have none: the app decides
      // what to show.
      if (url === undefined || url.startsWith('/api') || url.startsWith('/dev'))
        this.#count(request.raw, url ?? 'pages', config.limit)
    })
  }

  /** Counts a request that is refused before a route is found. */
  countUnrouted({ raw }: FastifyRequest) {
    this.#count(raw, 'unrouted')
  }

  /** Counts a WebSocket upgrade request. Refuses with `too-many`. */
  countUpgrade(request: IncomingMessage) {
    this.#count(request, 'upgrades', 'open')
  }

  #count(request: IncomingMessage, name: string, limitClass: CallClass = 'other') {
    const client = this.#identify(request.headers)
    // Without a login, the calls that need one count together: each of them is refused.
    const counted = client || limitClass === 'open' ? limitClass : 'other'
    const what = counted === 'other' ? counted : name
    const rate = callLimits[counted]
    if (!client) {
      const network = networkOf(this.#addresses.of(request), 48)
      return this.#limits.enforce({ ...rate, what: `${what} by network`, key: network })
    }
    const { kind, id, owner } = client
    this.#limits.enforce({ ...rate, what: `${what} by ${kind}`, key: id })
    const limit = rate.limit * shareOfOwner
    this.#limits.enforce({ ...rate, what: `${what} by owner of ${kind}`, key: owner, limit })
  }
}
