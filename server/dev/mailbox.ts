import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Outbox } from '../mail/outbox.ts'
import { addDevRoutes, sendDevPage } from './devPages.ts'
import { mailboxPage } from './mailboxPage.ts'

const Filter = z.object({ to: z.string().max(254).optional() })

/**
 * Serves the mails kept on this machine at `/dev/mailbox`, or as JSON at `/dev/mailbox.json`. Register it
 * only without a mail server: the mails contain sign-in codes.
 */
export function registerMailbox(app: FastifyInstance, outbox: Outbox, token: string) {
  const schema = { hide: true, querystring: Filter }
  addDevRoutes(app, token, scope => {
    scope.get('/dev/mailbox', { schema }, (request, reply) => {
      const { to } = request.query as z.infer<typeof Filter>
      return sendDevPage(reply, mailboxPage(outbox.list({ to }), to))
    })

    scope.get('/dev/mailbox.json', { schema }, (request, reply) => {
      const { to } = request.query as z.infer<typeof Filter>
      return reply.header('cache-control', 'no-store').send(outbox.list({ to }))
    })
  })
}
