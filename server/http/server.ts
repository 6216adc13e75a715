import { randomUUID } from 'node:crypto'
import type { Server } from 'node:net'
import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler as zodValidatorCompiler,
} from 'fastify-type-provider-zod'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import {
  maxRecordingUploadBytes,
  minUploadBytesPerSecond,
} from '#contract/shared/recordingRules.ts'
import { limitedAddress, networkOf } from '../rateLimit/network.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'
import type { CallLimits } from './callLimits.ts'
import { ClientAddresses } from './clientAddress.ts'
import { addCompression } from './compress.ts'
import { addHeaders } from './headers.ts'
import { sendError } from './refuse.ts'
import { type ServerCertificate, secure, secureOptions } from './secureServer.ts'
import { limitSlowRequests, requestTimeoutMs } from './slowRequests.ts'
import { addXsrf } from './xsrf.ts'

/** Largest body of a command, in bytes. */
export const maxBodyBytes = 64 * 1024

/** Time for the largest upload at the minimum rate, in addition to the time that every request may take. */
const longestRequestMs =
  requestTimeoutMs + (1000 * maxRecordingUploadBytes) / minUploadBytesPerSecond

interface HttpSettings {
  log: FastifyBaseLogger
  /** IP addresses or ranges of the proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[]
  /** Idle timeout of a connection, a minute by default. WebSockets are exempt: they have heartbeats. */
  idleTimeoutMs?: number | undefined
  /** Measures how long requests take to arrive. Without it only Node's longer timeout applies; tests may omit it. */
  clock?: Pick<Clock, 'after'> | undefined
  /**
   * Maximum number of connections. Further ones are closed at once, as are connections of one network beyond a
   * fifth.
   */
  maxConnections?: number | undefined
  /** Rate limits; tests may omit them. */
  limits?: CallLimits | undefined
  /** Builds the OpenAPI document before listening, which blocks for up to a second. Tests omit it. */
  openApiAtStart?: boolean | undefined
  /** Serves HTTPS with this certificate; without it plain HTTP, for a reverse proxy or this machine. */
  certificate?: ServerCertificate | undefined
  /** Public URL of the app. Known once the server listens. */
  publicUrl(): string
  /** Settings of support; undefined if it is not configured. */
  support?: { external: { ingestUrl: string } | undefined } | undefined
}

/** Validates requests by their schemas. An error thrown by a schema is a refusal too: see `parseSafely`. */
const validatorCompiler: typeof zodValidatorCompiler = route => {
  const validate = zodValidatorCompiler(route)
  return data => {
    try {
      return validate(data)
    } catch {
      return { error: new Refusal('invalid-input') }
    }
  }
}

const openapi = {
  info: { title: 'Pitboard', version: '1' },
  components: {
    securitySchemes: {
      login: { type: 'apiKey', in: 'cookie', name: 'pitboard_login' },
      device: { type: 'http', scheme: 'bearer' },
    },
  },
} as const

/** Creates the HTTP server with everything that applies to all routes. It contains no racing rules. */
export async function createHttp(settings: HttpSettings): Promise<FastifyInstance> {
  const { idleTimeoutMs = 60_000, maxConnections, clock, certificate } = settings
  const app = Fastify({
    loggerInstance: settings.log,
    // Request ids in the log must be unique across nodes.
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    requestTimeout: longestRequestMs,
    http: { headersTimeout: requestTimeoutMs },
    connectionTimeout: idleTimeoutMs,
    ...(certificate && secureOptions(certificate)),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) =>
      void sendError(countedError(settings, error, request), request, reply),
  })
  if (certificate)
    secure(app.server, certificate, {
      headersTimeout: requestTimeoutMs,
      requestTimeout: longestRequestMs,
    })
  if (clock) limitSlowRequests(app.server, clock)
  if (maxConnections !== undefined) limitConnections(app, { ...settings, maxConnections })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(sendError)
  logResponses(app)
  dropAbandonedRequests(app)
  addJsonBodies(app, maxBodyBytes)
  await app.register(cookie)
  await addHeaders(app, settings)
  settings.limits?.addTo(app)
  addXsrf(app, settings.publicUrl)
  skipContentOfHead(app)
  addCompression(app)
  await app.register(swagger, { openapi, transform: jsonSchemaTransform })
  addOpenApi(app, settings)
  return app
}

/** Ends the streams of HEAD requests: Fastify would read a whole export as fast as it can, for nobody. */
function skipContentOfHead(app: FastifyInstance) {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
    payload.destroy()
    done(null, Readable.from([]))
  })
}

function addOpenApi(app: FastifyInstance, { openApiAtStart = false }: HttpSettings) {
  let openapi: Buffer | undefined
  // Cached, because it is large and the same for everybody. The length of a string would be counted for each response.
  const document = () => (openapi ??= Buffer.from(JSON.stringify(app.swagger())))
  app.get('/api/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json').send(document()),
  )
  if (openApiAtStart) app.addHook('onReady', async () => void document())
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

/** Counts a request that was refused before routing, where no hook runs. */
function countedError({ limits }: HttpSettings, error: FastifyError, request: FastifyRequest) {
  try {
    limits?.countUnrouted(request)
    return error
  } catch (refusal) {
    return refusal as FastifyError
  }
}

/**
 * Drops a request whose client closed the connection while it waited, such as for its authentication on a busy server.
 * Nobody would read the response, and a press that was shown as failed must not become the message later.
 */
function dropAbandonedRequests(app: FastifyInstance) {
  app.addHook('preHandler', async (request, reply) => {
    if (!request.raw.socket.destroyed) return
    request.log.debug({ route: request.routeOptions.url }, 'dropped a request: its client has gone')
    return reply.hijack()
  })
}

/** Logs one line per response, with the route instead of the URL, which may contain ids or email addresses. */
function logResponses(app: FastifyInstance) {
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

/** Values of a body that is larger than usual: it contains a file as one text. */
const maxLargeValues = 1000

/**
 * Parses JSON bodies. One larger than `usualBytes` is refused if it has many values: parsing a million of them would
 * stop the live channel for half a second.
 */
function addJsonBodies(app: FastifyInstance, usualBytes: number) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.length > usualBytes && hasMoreValues(body, maxLargeValues))
        return done(new Refusal('invalid-input'))
      return parse(request, body, done)
    },
  )
}

const quote = 34
const comma = 44
const bracket = 91
const backslash = 92
const brace = 123

/** Counts commas and opening brackets outside of texts. */
function hasMoreValues(json: string, most: number): boolean {
  let values = 0
  let isInText = false
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (isInText && code === backslash) index += 1
    else if (code === quote) isInText = !isInText
    else if (!isInText && (code === comma || code === bracket || code === brace)) values += 1
    if (values > most) return true
  }
  return false
}

/** Maximum share of all connections that one IPv4 address, or one IPv6 /48, may hold. */
const shareOfNetwork = 1 / 5

interface Settings {
  /** Maximum number of connections of the whole server. */
  maxConnections: number
  /** True for trusted IP addresses that many clients share, such as a reverse proxy. */
  isExempt(address: string): boolean
}

/**
 * Closes connections of a network beyond its share. Otherwise its idle connections could block all other
 * clients.
 */
export function limitConnectionsPerNetwork(server: Server, { maxConnections, isExempt }: Settings) {
  const counts = new OpenCounts()
  const maxOfNetwork = Math.max(1, Math.floor(maxConnections * shareOfNetwork))
  server.on('connection', socket => {
    const address = socket.remoteAddress
    if (address === undefined || isExempt(address)) return
    const network = networkOf(address, 48)
    if (!counts.tryAdd([{ key: network, limit: maxOfNetwork }])) return void socket.destroy()
    socket.once('close', () => counts.remove([network]))
  })
}
