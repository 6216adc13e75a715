import type { RefusalBody } from '#contract/refusal.ts'
import { refusals } from '#contract/refusals.ts'

type Refusal = RefusalBody | { code: 'unreachable'; message: string }

/**
 * Reads the body of an answer that is not 2xx. What does not speak as our server does (a proxy's
 * page, a hotel's portal) is nobody we can talk to: unreachable.
 */
export function refusalOf(body: unknown): Refusal {
  if (!isRecord(body) || !isCode(body.code)) return { code: 'unreachable', message: '' }
  return {
    code: body.code,
    message: typeof body.message === 'string' ? body.message : refusals[body.code][1],
    ...(isRecord(body.fields) && { fields: sentencesOf(body.fields) }),
    ...(typeof body.retryAfterSeconds === 'number' && {
      retryAfterSeconds: body.retryAfterSeconds,
    }),
  }
}

/** Whether a text is one of the server's codes. */
export function isCode(text: unknown): text is RefusalBody['code'] {
  return typeof text === 'string' && Object.hasOwn(refusals, text)
}

function sentencesOf(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string'
    }),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
