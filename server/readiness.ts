import type { FastifyInstance } from 'fastify'
import type { Clock } from '#contract/shared/clock.ts'
import type { Database } from './db/database.ts'
import type { Bus } from './live/publish/bus.ts'

/** The services this node depends on, and whether they are available. */
interface Ready {
  database: boolean
  bus: boolean
}
export type Readiness = () => Promise<Ready>

/** Maximum age of a cached result: ten thousand requests ping the database once. */
const freshForMs = 1000
const pingTimeoutMs = 2000

/** Checks whether the database responds and the bus is connected. Never rejects. */
export function createReadiness(
  database: Pick<Database, 'ping'>,
  bus: () => Bus,
  clock: Clock,
): Readiness {
  let cached = { at: Number.NEGATIVE_INFINITY, isReachable: Promise.resolve(false) }
  function isDatabaseUp(): Promise<boolean> {
    const now = clock.monotonicMs()
    if (now - cached.at > freshForMs) cached = { at: now, isReachable: pingInTime(database, clock) }
    return cached.isReachable
  }
  return async () => ({ database: await isDatabaseUp(), bus: bus().connected })
}

function pingInTime(database: Pick<Database, 'ping'>, clock: Clock): Promise<boolean> {
  return new Promise(resolve => {
    const cancel = clock.after(pingTimeoutMs, () => resolve(false))
    database
      .ping()
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(cancel)
  })
}

/**
 * Adds `/healthz`, which responds while the process lives, and `/readyz`, which responds with 503 and the
 * missing service if the node cannot serve. The server listens only after the migrations.
 */
export function addHealth(app: FastifyInstance, readiness: Readiness) {
  const schema = { hide: true }
  app.get('/healthz', { schema }, (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      // The page without HTTPS of a paddock finds out with it whether the device trusts this server.
      .header('cross-origin-resource-policy', 'cross-origin')
      .send({ ok: true }),
  )
  app.get('/readyz', { schema }, async (_request, reply) => {
    const ready = await readiness()
    const { database, bus } = ready
    return reply
      .code(database && bus ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(ready)
  })
}
