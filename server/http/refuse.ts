import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { isDetail, type RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { isDatabaseAway, isStatementTimeout, isStorageFull } from '../db/errors.ts'

/** Refusals for error codes of Fastify and its plugins that the HTTP status does not determine. */
const fastifyCodes: Record<string, RefusalCode> = {
  // These URLs are refused before routing, and match no route.
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-type',
  FST_PARTS_LIMIT: 'invalid-input',
  FST_FILES_LIMIT: 'invalid-input',
  FST_FIELDS_LIMIT: 'invalid-input',
}

/** Refusals by HTTP status, for other client errors of Fastify and its plugins. */
const codeByStatus: Record<number, RefusalCode> = {
  404: 'not-found',
  413: 'too-large',
  414: 'not-found',
  415: 'unsupported-type',
  429: 'too-many',
}

/** Unread request bodies up to this size are read to the end, so that the connection can be reused. */
const longBodyBytes = 64 * 1024

/** Retry-After while the database is unavailable; it recovers without intervention. */
const awaySeconds = 2
/** Longer, because an operator has to free disk space. */
const storageFullSeconds = 10

/**
 * The only place where errors become responses: refusals are sent as they are, all other errors are bugs
 * and logged.
 */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asHttpRefusal(error)
  if (refusal.code === 'server-error') request.log.error({ err: error }, 'unexpected error')
  if (refusal.code === 'not-ready')
    request.log.warn({ reason: error.message }, 'database unavailable')
  if (isStatementTimeout(error)) request.log.warn({ err: error }, 'statement took too long')
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', refusal.retryAfterSeconds)
  }
  // Reading the rest of a large body would cost other clients time, so the connection is closed.
  if (refusal.code === 'too-slow' || (isTypicalOfFloods(refusal) && isLongBodyUnread(request)))
    reply.header('connection', 'close')
  return respond(reply, refusal)
}

function isTypicalOfFloods({ code }: Refusal): boolean {
  return code === 'too-many' || code === 'not-signed-in'
}

function isLongBodyUnread({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  return !raw.complete && (encoding !== undefined || Number(length ?? 0) > longBodyBytes)
}

export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return respond(reply, new Refusal('not-found'))
}

function respond(reply: FastifyReply, refusal: Refusal) {
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .serializer(JSON.stringify)
    .send(refusal.body)
}

/** Maps an unexpected error, of a call or a frame, to a code for the client. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isStorageFull(error)) return new Refusal('not-ready', { detail: 'storage-full' })
  if (isStatementTimeout(error)) return new Refusal('too-slow', { detail: 'read-slow' })
  return new Refusal(isDatabaseAway(error) ? 'not-ready' : 'server-error')
}

/** Like `asRefusal`, with the errors of Fastify, and with a delay before a retry while the database is away. */
function asHttpRefusal(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error
  // Libraries may throw any value.
  if (!(error instanceof Error)) return new Refusal('server-error')
  if (isResponseSerializationError(error)) return new Refusal('server-error')
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation)
  const code = clientErrorCode(error)
  if (code) return new Refusal(code)
  const refusal = asRefusal(error)
  if (refusal.code !== 'not-ready') return refusal
  return refusal.detail
    ? new Refusal('not-ready', { detail: refusal.detail, retryAfterSeconds: storageFullSeconds })
    : new Refusal('not-ready', { retryAfterSeconds: awaySeconds })
}

/**
 * Maps errors that Fastify, a plugin or its JSON parser attributes to the client, including an incomplete
 * request body. Only these set both a 4xx status and one of these codes.
 */
function clientErrorCode(error: FastifyError): RefusalCode | undefined {
  const { code, statusCode = 500 } = error
  const known = fastifyCodes[code]
  if (known) return known
  const isFromFramework =
    code?.startsWith('FST_') || code === 'ECONNRESET' || error instanceof SyntaxError
  if (!isFromFramework || statusCode < 400 || statusCode >= 500) return undefined
  return codeByStatus[statusCode] ?? 'invalid-input'
}

/**
 * Names each invalid field with the detail from its schema, or `not-valid` for messages of the schema
 * library.
 */
function invalidInput(issues: { instancePath: string; message?: string | undefined }[]): Refusal {
  const fields: Record<string, RefusalDetail> = {}
  for (const issue of issues) {
    const field = issue.instancePath.split('/').slice(1).join('.')
    if (field && !(field in fields)) {
      fields[field] = isDetail(issue.message) ? issue.message : 'not-valid'
    }
  }
  return new Refusal('invalid-input', { fields })
}
