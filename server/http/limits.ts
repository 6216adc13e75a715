import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusal.ts'
import { CallCounts, type CountTogether } from './callCounts.ts'

/**
 * Calls a minute from one network address. A whole paddock may sit behind one: this stops a flood,
 * while what is dear or dangerous (codes, invitations) has limits of its own, per person. It must not cost
 * a look at the database for each call: several nodes tell each other of who calls much, once a second.
 */
export const callsPerMinute = 3000

export async function addLimits(
  app: FastifyInstance,
  { log, countTogether }: { log: FastifyBaseLogger; countTogether?: CountTogether | undefined },
) {
  const counts = countTogether && new CallCounts(countTogether, log)
  await app.register(rateLimit, {
    ...(counts && { store: storeOf(counts) }),
    max: callsPerMinute,
    timeWindow: '1 minute',
    // By the route that answers, not by the address as it was written: that may be escaped.
    allowList: request => !request.routeOptions.url?.startsWith('/api'),
    errorResponseBuilder: (_request, context) =>
      new Refusal('too-many', { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  })
}

/** The plugin wants a class and makes one object of it. */
function storeOf(counts: CallCounts) {
  return class {
    constructor() {
      return counts
    }
  } as unknown as FastifyRateLimitStoreCtor
}
