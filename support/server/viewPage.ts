import type { FastifyInstance } from 'fastify'
import { viewPage } from '../contract/supportRules.ts'

/**
 * Policy of the document in which an agent sees a visitor's page. Its content comes from a browser that may
 * lie: nothing in it runs or requests another host. Its styles arrive as text.
 */
const viewPolicy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join(';')

/** Lets the desk frame the view page, under a content security policy of its own. */
export function addViewPageHeaders(http: FastifyInstance) {
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.split('?', 1)[0] === viewPage) {
      reply.header('content-security-policy', viewPolicy).header('x-frame-options', 'SAMEORIGIN')
    }
    done()
  })
}
