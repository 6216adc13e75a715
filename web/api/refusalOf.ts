import type { RefusalCode } from '#contract/refusal.ts'
import { refusals } from '#contract/shared/refusals.ts'
import type { ReadRefusal } from './callRefused.ts'

/**
 * Parses the body of a response that is not 2xx. A response in another format comes from a proxy or a
 * captive portal, so our server counts as unreachable.
 */
export async function refusalOf(body: unknown): Promise<ReadRefusal> {
  if (!isRecord(body) || !isCode(body.code)) return { code: 'unreachable' }
  const { code, detail, reason, fields, retryAfterSeconds } = body
  return {
    code,
    ...((typeof detail === 'string' || isRecord(fields)) && (await sentencesOf(detail, fields))),
    ...(typeof reason === 'string' && { detail: reason }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  }
}

/** Checks whether a text is one of the server's codes. */
export function isCode(text: unknown): text is RefusalCode {
  return typeof text === 'string' && Object.hasOwn(refusals, text)
}

/**
 * Reads the sentences of details and field errors. A newer server may send a detail that this app does not know
 * yet, and without a network the sentences may fail to load: then the sentence of the code is shown.
 */
async function sentencesOf(detail: unknown, fields: unknown) {
  try {
    const { detailSentences: known } = await import('#contract/shared/refusalDetails.ts')
    const sentence = (of: unknown) =>
      typeof of === 'string' && Object.hasOwn(known, of) ? known[of as keyof typeof known] : null
    const own = sentence(detail)
    return {
      ...(own !== null && { detail: own }),
      fields: Object.fromEntries(
        Object.entries(isRecord(fields) ? fields : {}).map(([name, why]) => [
          name,
          sentence(why) ?? known['not-valid'],
        ]),
      ),
    }
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
