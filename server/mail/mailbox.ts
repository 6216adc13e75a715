import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '#contract/refusal.ts'
import { isLocalRequest } from '../http/localRequest.ts'
import { mailboxPage } from './mailboxPage.ts'
import type { Outbox } from './outbox.ts'

const Filter = z.object({ to: z.string().max(254).optional() })

/** Content security policy: the page loads only its own styles and those of the mails. */
const pageSecurity =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/**
 * Serves the mails kept on this machine at `/dev/mailbox`, or as JSON at `/dev/mailbox.json`. Register it
 * only with `hasDevPages` and without a mail server: the mails contain sign-in codes.
 */
export function registerMailbox(app: FastifyInstance, outbox: Outbox) {
  const onRequest = async (request: FastifyRequest) => {
    if (!isLocalRequest(request.raw)) throw new Refusal('not-found')
  }
  const schema = { hide: true, querystring: Filter }

  app.get('/dev/mailbox', { onRequest, schema }, async (request, reply) => {
    const { to } = request.query as z.infer<typeof Filter>
    return reply
      .header('content-security-policy', pageSecurity)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(mailboxPage(outbox.list({ to }), to))
  })

  app.get('/dev/mailbox.json', { onRequest, schema }, async (request, reply) => {
    const { to } = request.query as z.infer<typeof Filter>
    return reply.header('cache-control', 'no-store').send(outbox.list({ to }))
  })
}
