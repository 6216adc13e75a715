import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint, Kind } from '#contract/endpoint.ts'
import { accessRefusal, type Login } from '../rights/access.ts'
import { type CallClass, callLimits } from './callLimits.ts'

/**
 * Arguments of a handler: parsed input, the caller (if any), and request and reply, for cookies and
 * headers.
 */
export interface Call<E extends Endpoint, Caller> {
  input: z.output<E['input']>
  caller: E extends Endpoint<Kind, 'any-login' | 'signed-in' | 'account'> ? Caller : Caller | null
  request: FastifyRequest
  reply: FastifyReply
}

/** One handler per endpoint of a topic. */
export type HandlersOf<Topic extends Record<string, Endpoint>, Caller> = {
  [Name in keyof Topic]: (
    call: Call<Topic[Name], Caller>,
  ) => Promise<z.input<Topic[Name]['output']>>
}

interface Authenticator<Caller> {
  /** Authenticates a request by a browser's cookie or a device's token. */
  authenticate(request: FastifyRequest, lane?: Endpoint['lane']): Promise<Caller | null>
}

/** Mounts a topic's endpoints at `/api/<topic>.<name>`: reads as GET, commands as POST. */
export function mount<Topic extends Record<string, Endpoint>, Caller extends Login>(
  app: FastifyInstance,
  topic: string,
  endpoints: Topic,
  handlers: HandlersOf<Topic, Caller>,
  authenticator: Authenticator<Caller>,
  /** The handlers of reads, if they have a database of their own. */
  reads = handlers,
) {
  const callers = new WeakMap<FastifyRequest, Caller | null>()
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = (endpoint.kind === 'read' ? reads : handlers)[name as keyof Topic]
    app.route({
      method: endpoint.kind === 'read' ? 'GET' : 'POST',
      url: `/api/${topic}.${name}`,
      config: { limit: limitOf(endpoint) },
      ...(endpoint.maxBodyBytes !== undefined && { bodyLimit: endpoint.maxBodyBytes }),
      schema: {
        operationId: `${topic}.${name}`,
        tags: [topic],
        summary: endpoint.summary,
        ...descriptionOf(endpoint),
        ...(endpoint.auth !== 'anyone' && {
          security: [{ login: [] }, ...(endpoint.scopes ? [{ device: [] }] : [])],
        }),
        ...(endpoint.kind === 'read' ? { querystring: endpoint.input } : { body: endpoint.input }),
        response: { 200: endpoint.output },
      },
      // Runs before the body is read, so that input of unauthorised callers is never parsed, and after the
      // rate limit, which is an onRequest hook, so that refused calls are counted.
      preParsing: async request => {
        callers.set(request, await admit(authenticator, endpoint, request))
      },
      handler: async (request, reply) => {
        const caller = callers.get(request) ?? null
        const input = endpoint.kind === 'read' ? request.query : request.body
        reply.header('cache-control', 'no-store')
        const output = await handler({ input, caller, request, reply } as Call<
          Topic[keyof Topic],
          Caller
        >)
        // A large response is serialised in a turn of its own: messages go before it.
        if (endpoint.kind === 'read') await nextTurn()
        return output
      },
    })
  }
}

/** Returns the class of an endpoint's rate limit. */
function limitOf({ auth, limit }: Endpoint): CallClass {
  return limit ?? (auth === 'anyone' ? 'open' : 'ordinary')
}

function descriptionOf(endpoint: Endpoint): { description: string } {
  const { auth, scopes } = endpoint
  const { limit, windowMs } = callLimits[limitOf(endpoint)]
  const sentences = [
    `At most ${limit} calls ${windowMs === 60_000 ? 'a minute' : 'an hour'}.`,
    ...(auth !== 'anyone' && scopes ? [`Devices need the scope ${scopes.join(' or ')}.`] : []),
  ]
  return { description: sentences.join(' ') }
}

async function admit<Caller extends Login>(
  authenticator: Authenticator<Caller>,
  endpoint: Endpoint,
  request: FastifyRequest,
) {
  const caller = await authenticator.authenticate(request, endpoint.lane)
  const refusal = accessRefusal(caller, endpoint)
  if (refusal) throw refusal
  return caller
}
