import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Auth, Endpoint, Kind } from '#contract/endpoint.ts'
import { Refusal } from '#contract/refusal.ts'

/** What a handler gets: parsed input, who calls (if anyone), and the exchange for cookies and the like. */
export interface Call<E extends Endpoint, Caller> {
  input: z.output<E['input']>
  caller: E extends Endpoint<Kind, 'signed-in'> ? Caller : Caller | null
  request: FastifyRequest
  reply: FastifyReply
}

/** One handler per endpoint of a topic. */
export type HandlersOf<Topic extends Record<string, Endpoint>, Caller> = {
  [Name in keyof Topic]: (
    call: Call<Topic[Name], Caller>,
  ) => Promise<z.input<Topic[Name]['output']>>
}

interface Gate<Caller> {
  /** Who sent this request, if anyone: a browser's cookie or a device's token. */
  authenticate(request: FastifyRequest): Promise<Caller | null>
}

/** Puts a topic's endpoints at `/api/<topic>.<name>`: reads as GET, commands as POST. */
export function mount<Topic extends Record<string, Endpoint>, Caller>(
  app: FastifyInstance,
  topic: string,
  endpoints: Topic,
  handlers: HandlersOf<Topic, Caller>,
  gate: Gate<Caller>,
) {
  const callers = new WeakMap<FastifyRequest, Caller | null>()
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[name as keyof Topic]
    app.route({
      method: endpoint.kind === 'read' ? 'GET' : 'POST',
      url: `/api/${topic}.${name}`,
      schema: {
        operationId: `${topic}.${name}`,
        tags: [topic],
        summary: endpoint.summary,
        ...(endpoint.auth === 'signed-in' && { security: [{ login: [] }, { device: [] }] }),
        ...(endpoint.kind === 'read' ? { querystring: endpoint.input } : { body: endpoint.input }),
        response: { 200: endpoint.output },
      },
      // Before the body is read: a stranger's input is not even looked at. After the limit on calls,
      // which is an onRequest hook: who is refused here was counted.
      preParsing: async request => {
        callers.set(request, await admit(gate, endpoint.auth, request))
      },
      handler: async (request, reply) => {
        const caller = callers.get(request) ?? null
        const input = endpoint.kind === 'read' ? request.query : request.body
        reply.header('cache-control', 'no-store')
        return handler({ input, caller, request, reply } as Call<Topic[keyof Topic], Caller>)
      },
    })
  }
}

async function admit<Caller>(gate: Gate<Caller>, auth: Auth, request: FastifyRequest) {
  const caller = await gate.authenticate(request)
  if (auth === 'signed-in' && !caller) throw new Refusal('not-signed-in')
  return caller
}
