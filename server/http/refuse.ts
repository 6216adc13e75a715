import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { isDetail, type RefusalDetail } from '#contract/refusalSentences.ts'
import { isDatabaseAway, isStorageFull } from '../db/errors.ts'

/** Errors of Fastify and its plugins whose status alone does not say which refusal they are. */
const fastifyCodes: Record<string, RefusalCode> = {
  // Refused before a route is found: whatever such an address means, nothing is there.
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-type',
  FST_PARTS_LIMIT: 'invalid-input',
  FST_FILES_LIMIT: 'invalid-input',
  FST_FIELDS_LIMIT: 'invalid-input',
}

/** The refusal for a client error of Fastify or a plugin, by its HTTP status. */
const codeByStatus: Record<number, RefusalCode> = {
  404: 'not-found',
  413: 'too-large',
  414: 'not-found',
  415: 'unsupported-type',
  429: 'too-many',
}

/** What is left of a body up to this size is read, so that its connection can be used again. */
const longBodyBytes = 64 * 1024

/** The database comes back by itself: when to ask again, in seconds. */
const awaySeconds = 2
/** Somebody has to make room first. */
const storageFullSeconds = 10

/** The one border where errors become answers: a refusal travels as itself, all else is a bug and logged. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error)
  if (refusal.code === 'server-error') request.log.error({ err: error }, 'unexpected error')
  if (refusal.code === 'not-ready')
    request.log.warn({ why: error.message }, 'the database cannot be used')
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', refusal.retryAfterSeconds)
  }
  // Reading the rest of a flood takes time from everybody else, so its connection ends with the answer.
  if (isOfFloods(refusal) && isLongBodyUnread(request)) reply.header('connection', 'close')
  return answer(reply, refusal)
}

function isOfFloods({ code }: Refusal): boolean {
  return code === 'too-many' || code === 'not-signed-in'
}

function isLongBodyUnread({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  return !raw.complete && (encoding !== undefined || Number(length ?? 0) > longBodyBytes)
}

export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return answer(reply, new Refusal('not-found'))
}

function answer(reply: FastifyReply, refusal: Refusal) {
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .serializer(JSON.stringify)
    .send(refusal.body)
}

function asRefusal(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error
  // Some library may throw anything.
  if (!(error instanceof Error)) return new Refusal('server-error')
  if (isResponseSerializationError(error)) return new Refusal('server-error')
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation)
  const code = clientErrorCode(error)
  if (code) return new Refusal(code)
  if (isStorageFull(error))
    return new Refusal('not-ready', {
      detail: 'storage-full',
      retryAfterSeconds: storageFullSeconds,
    })
  if (isDatabaseAway(error)) return new Refusal('not-ready', { retryAfterSeconds: awaySeconds })
  return new Refusal('server-error')
}

/**
 * The refusal for what Fastify, a plugin or its JSON parser blames on the client, including a body that
 * the client did not send to its end. Nothing else sets both a 4xx status and one of these codes.
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

/** Names each wrong field with what its schema says of it, unless that is the schema library's own words. */
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
