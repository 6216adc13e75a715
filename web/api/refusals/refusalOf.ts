import type { RefusalCode } from '#contract/refusal.ts'
import { isDetail, type RefusalDetail } from '#contract/shared/refusalSentences.ts'
import { refusalsText } from '#web/text/refusals.ts'
import type { RefusalRead } from './callRefused.ts'

/**
 * Parses the body of a response that is not 2xx. A response in another format comes from a proxy or a
 * captive portal, so our server counts as unreachable.
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

/** Checks whether a text is one of the server's codes. */
export function isCode(text: unknown): text is RefusalCode {
  return typeof text === 'string' && Object.hasOwn(refusalsText.byCode, text)
}

/** Parses field errors. A newer server may send a detail that this app does not know yet. */
function detailsOf(fields: Record<string, unknown>): Record<string, RefusalDetail> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, why]) => [name, isDetail(why) ? why : 'not-valid']),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
