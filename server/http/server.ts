import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod'
import { limitedAddress } from '../rateLimit/network.ts'
import type { CallLimits } from './callLimits.ts'
import { ClientAddresses } from './clientAddress.ts'
import { addCompression } from './compress.ts'
import { limitConnectionsPerNetwork } from './connectionsPerNetwork.ts'
import { addHeaders } from './headers.ts'
import { answerError } from './refuse.ts'
import { validatorCompiler } from './validate.ts'
import { addXsrf } from './xsrf.ts'

/** Largest body of a command, in bytes. */
export const maxBodyBytes = 64 * 1024

interface HttpSettings {
  log: FastifyBaseLogger
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: string[]
  /**
   * A connection on which nothing moves for so long is closed: by default a minute. WebSockets are not
   * concerned, their own heartbeats look after them.
   */
  silentAfterMs?: number | undefined
  /** More connections than this are closed as they open, and those of one network beyond a fifth of it. */
  maxConnections?: number | undefined
  /** Without them nothing is counted: for tests. */
  limits?: CallLimits | undefined
  /** Where people open the app: known only once the server listens. */
  publicUrl(): string
  /** Whether people are helped from outside, and from where. */
  support?: { external: { ingestUrl: string } | undefined } | undefined
}

/** The HTTP server with everything that holds for every route. It knows no racing. */
export async function createHttp(settings: HttpSettings): Promise<FastifyInstance> {
  const { silentAfterMs = 60_000, maxConnections } = settings
  const app = Fastify({
    loggerInstance: settings.log,
    // One of its own in every line of the log, also among many nodes.
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    requestTimeout: 30_000,
    connectionTimeout: silentAfterMs,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) =>
      void answerError(countedError(settings, error, request), request, reply),
  })
  if (maxConnections !== undefined) limitConnections(app, { ...settings, maxConnections })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  logAnswers(app)
  await app.register(cookie)
  await addHeaders(app, settings)
  settings.limits?.addTo(app)
  addXsrf(app, settings.publicUrl)
  addCompression(app)
  await app.register(swagger, {
    openapi: {
      info: { title: 'Pitboard', version: '1' },
      components: {
        securitySchemes: {
          login: { type: 'apiKey', in: 'cookie', name: 'pitboard_login' },
          device: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  let openapi: string | undefined
  app.get('/api/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    // Large, and the same for everybody: made once.
    openapi ??= JSON.stringify(app.swagger())
    return reply.type('application/json').send(openapi)
  })
  return app
}

function limitConnections(
  app: FastifyInstance,
  { maxConnections, trustProxy }: { maxConnections: number; trustProxy: string[] },
) {
  const addresses = new ClientAddresses(trustProxy)
  app.server.maxConnections = maxConnections
  limitConnectionsPerNetwork(app.server, {
    maxConnections,
    isExempt: address => limitedAddress(address) === undefined || addresses.isProxy(address),
  })
}

/** What is refused before a route is found is counted here: no hook runs for it. */
function countedError({ limits }: HttpSettings, error: FastifyError, request: FastifyRequest) {
  try {
    limits?.countUnrouted(request)
    return error
  } catch (refusal) {
    return refusal as FastifyError
  }
}

/** One line per answer: which route, not which address, so that no id or e-mail of a URL is kept. */
function logAnswers(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url
    if (route?.startsWith('/api')) {
      request.log.info(
        {
          method: request.method,
          route,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'answered',
      )
    }
    done()
  })
}
