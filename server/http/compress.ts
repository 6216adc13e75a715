import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Below this many bytes compression saves less than it costs. */
const minBytes = 1024

/** Level 4 takes a tenth of the default level's time, and its output for JSON is hardly larger. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressWith = {
  br: (text: string) => promisify(brotliCompress)(text, brotliOptions),
  gzip: (text: string) => promisify(gzip)(text),
}

/**
 * Compresses JSON responses of reads. Responses to commands are not compressed: some contain a token, and
 * the length of a compressed response with both a secret and an attacker's text leaks the secret (BREACH).
 * Reads contain no secrets, and other sites cannot make a browser send one with the login cookie.
 */
export function addCompression(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isLargeRead(request, reply, payload)) return payload
    reply.header('vary', 'accept-encoding')
    const encoding = acceptedEncoding(request)
    if (!encoding) return payload
    const compressed = await compressWith[encoding](payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return compressed
  })
}

function isLargeRead(
  { method, routeOptions: { url } }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string {
  return (
    typeof payload === 'string' &&
    payload.length >= minBytes &&
    method === 'GET' &&
    url?.startsWith('/api') === true &&
    String(reply.getHeader('content-type')).startsWith('application/json') &&
    !reply.hasHeader('content-encoding')
  )
}

/** The best encoding that the client accepts; undefined for an uncompressed response. */
export function acceptedEncoding({
  headers,
}: FastifyRequest): keyof typeof compressWith | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map(each => each.trim().toLowerCase())
    .filter(each => !/;\s*q=0(\.0*)?$/.test(each))
    .map(each => each.split(';', 1)[0])
  return (['br', 'gzip'] as const).find(each => accepted.includes(each))
}
