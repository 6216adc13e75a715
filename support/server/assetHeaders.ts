import type { FastifyInstance } from 'fastify'

/**
 * Lets an OpenReplay server load the app's style sheets and fonts: it shows recorded pages from its own
 * origin, and without them an agent sees pages without layout. Assets are the same for everybody, and loaded
 * without cookies. Uploaded pictures stay private to members.
 */
export function addAssetHeaders(http: FastifyInstance) {
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith('/assets/')) {
      reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
    }
    done()
  })
}
