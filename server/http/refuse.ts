import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { isDetail, type RefusalDetail } from '#contract/refusalSentences.ts'
import { isDatabaseAway } from '../db/errors.ts'

/** What Fastify itself refuses, in our words. */
const fastifyCodes: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid-input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid-input',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid-input',
  FST_ERR_BAD_URL: 'not-found',
  FST_REQ_FILE_TOO_LARGE: 'too-large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-type',
  FST_PARTS_LIMIT: 'invalid-input',
  FST_FILES_LIMIT: 'invalid-input',
  FST_FIELDS_LIMIT: 'invalid-input',
}

/** The database comes back by itself: when to ask again, in seconds. */
const awaySeconds = 2

/** The one border where errors become answers: a refusal travels as itself, all else is a bug and logged. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error)
  if (refusal.code === 'server-error') request.log.error({ err: error }, 'unexpected error')
  if (refusal.code === 'not-ready') request.log.warn({ why: error.message }, 'the database is away')
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', refusal.retryAfterSeconds)
  }
  return answer(reply, refusal)
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
  if (isResponseSerializationError(error)) return new Refusal('server-error')
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation)
  const code = fastifyCodes[error.code]
  if (code) return new Refusal(code)
  if (isDatabaseAway(error)) return new Refusal('not-ready', { retryAfterSeconds: awaySeconds })
  if (error instanceof SyntaxError && error.statusCode === 400) return new Refusal('invalid-input')
  return new Refusal('server-error')
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
