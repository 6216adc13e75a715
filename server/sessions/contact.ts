import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { EpochMs, SessionId } from '#contract/ids.ts'
import { FixUp } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { limitedAddress } from '../rateLimit/network.ts'
import { requireLogin } from '../rights/access.ts'
import { requireDataLink, requireDriver } from '../rights/requireSession.ts'

const Contact = z.object({
  /** When the fix was taken; defaults to now. */
  at: EpochMs.optional(),
  latitude: FixUp.shape.la.default(null),
  longitude: FixUp.shape.lo.default(null),
  speedKmh: FixUp.shape.v.default(null),
  accuracyM: FixUp.shape.ac.default(null),
  headingDeg: FixUp.shape.h,
})

/** One fix by HTTP, for devices that cannot keep a connection open, such as GPS loggers. */
export function addContactRoute(app: FastifyInstance, context: AppContext) {
  app.route<{ Params: { sessionId: string }; Body: z.output<typeof Contact> }>({
    method: 'POST',
    url: '/api/v1/sessions/:sessionId/contact',
    schema: {
      operationId: 'sessions.contact',
      tags: ['sessions'],
      summary: "Reports the car's speed and position. Only for the session's driver.",
      security: [{ login: [] }, { device: [] }],
      params: z.object({ sessionId: SessionId }),
      body: Contact,
      response: { 200: z.object({ lastDriverContactAt: EpochMs }) },
    },
    handler: async request => {
      const caller = requireLogin(await context.authenticate(request), {
        auth: 'signed-in',
        scopes: ['drive'],
      })
      const { sessionId } = request.params
      requireDataLink(await requireDriver(context.db, sessionId, caller.userId))
      const {
        at,
        latitude: la,
        longitude: lo,
        speedKmh: v,
        accuracyM: ac,
        headingDeg: h,
      } = request.body
      // Without a time of the receiver the time of arrival counts.
      const time = at === undefined ? { at: context.clock.now(), ar: true as const } : { at }
      const address = limitedAddress(request.ip)
      const recorded = context.recordFix(
        sessionId,
        { t: 'fix', ...time, la, lo, v, ac, h },
        { address },
      )
      if (!recorded) throw new Refusal('too-many', { retryAfterSeconds: 1 })
      // An acknowledged fix must be stored, even if the server crashes now.
      if (!(await context.recorder.flush())) throw new Refusal('not-ready')
      return { lastDriverContactAt: recorded.contactAt }
    },
  })
}
