import type { RefusalCode } from '#contract/refusal.ts'
import { isDetail, type RefusalDetail } from '#contract/refusalSentences.ts'
import { refusalsText } from '#web/text/refusals.ts'
import type { RefusalRead } from './callRefused.ts'

/**
 * Reads the body of an answer that is not 2xx. What does not speak as our server does (a proxy's
 * page, a hotel's portal) is nobody we can talk to: unreachable.
 */
export function refusalOf(body: unknown): RefusalRead {
  if (!isRecord(body) || !isCode(body.code)) return { code: 'unreachable' }
  return {
    code: body.code,
    ...(isDetail(body.detail) && { detail: body.detail }),
    ...(isRecord(body.fields) && { fields: detailsOf(body.fields) }),
    ...(typeof body.retryAfterSeconds === 'number' && {
      retryAfterSeconds: body.retryAfterSeconds,
    }),
  }
}

/** Whether a text is one of the server's codes. */
export function isCode(text: unknown): text is RefusalCode {
  return typeof text === 'string' && Object.hasOwn(refusalsText.byCode, text)
}

/** A newer server may find fault with a field in a way that this app does not know yet. */
function detailsOf(fields: Record<string, unknown>): Record<string, RefusalDetail> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, why]) => [name, isDetail(why) ? why : 'not-valid']),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
