import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { LiveContext } from '../live/context.ts'
import { addDevRoutes, sendDevPage } from './devPages.ts'
import { livePage } from './livePage.ts'

const Filter = z.object({ connection: z.string().max(40).optional() })

/**
 * Shows rooms, connections and the last frames of this node at `/dev/live`, optionally those of one
 * `?connection=`. Frames contain positions and names.
 */
export function registerLivePage(
  app: FastifyInstance,
  { hub, trace }: Pick<LiveContext, 'hub' | 'trace'>,
  token: string,
) {
  const schema = { hide: true, querystring: Filter }
  addDevRoutes(app, token, scope => {
    scope.get('/dev/live', { schema }, (request, reply) => {
      const { connection } = request.query as z.infer<typeof Filter>
      return sendDevPage(reply, livePage(hub.describe(), trace?.frames ?? [], connection))
    })
  })
}
