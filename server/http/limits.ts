import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusal.ts'

/**
 * Calls a minute from one network address. A whole paddock may sit behind one: this stops a flood,
 * while what is dear or dangerous (codes, invitations) has limits of its own, per person and for all nodes.
 * This one each node counts for itself: it protects a process, and must not cost a look at the database.
 */
export const callsPerMinute = 3000

export async function addLimits(app: FastifyInstance) {
  await app.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: '1 minute',
    // By the route that answers, not by the address as it was written: that may be escaped.
    allowList: request => !request.routeOptions.url?.startsWith('/api'),
    errorResponseBuilder: (_request, context) =>
      new Refusal('too-many', { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  })
}
