import type { FastifyReply } from 'fastify'

/**
 * Lets the response to a request take longer than the idle timeout of connections, which would close the connection
 * while nothing is sent. Node applies the usual timeout to the connection's next request.
 */
export function allowSlowResponse({ raw }: FastifyReply, longestMs: number) {
  raw.setTimeout(longestMs)
}
