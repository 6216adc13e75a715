import { z } from 'zod'
import { detailSentences, type RefusalDetail } from './shared/refusalDetails.ts'
import { refusals } from './shared/refusals.ts'

export type RefusalCode = keyof typeof refusals

export const RefusalCode = z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]])

/** A longer reason is cut. */
const maxReasonLetters = 600

const Detail = z.enum(Object.keys(detailSentences) as [RefusalDetail, ...RefusalDetail[]])

/** The body of an HTTP 4xx/5xx response. */
export const RefusalBody = z.object({
  code: RefusalCode,
  /** The sentence of the code, for clients other than the app. */
  message: z.string(),
  /** The exact reason, where the code alone is too general. */
  detail: Detail.optional(),
  /** Describes what is wrong with an uploaded file, in English: it quotes the file, so it has no code. */
  reason: z.string().max(maxReasonLetters).optional(),
  /** The invalid fields of the request, each with its reason. */
  fields: z.record(z.string(), Detail).optional(),
  /** Delay before a retry makes sense. */
  retryAfterSeconds: z.number().optional(),
})
export type RefusalBody = z.infer<typeof RefusalBody>

/**
 * An expected error, thrown by any handler and sent to the browser as its code. Anything else thrown is a
 * bug.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly detail: RefusalDetail | undefined
  readonly reason: string | undefined
  readonly fields: Record<string, RefusalDetail> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: RefusalCode,
    more: {
      detail?: RefusalDetail
      reason?: string | undefined
      fields?: Record<string, RefusalDetail>
      retryAfterSeconds?: number
    } = {},
  ) {
    const reason = more.reason?.slice(0, maxReasonLetters)
    super(reason ?? (more.detail ? detailSentences[more.detail] : refusals[code].sentence))
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code].status
    this.detail = more.detail
    this.reason = reason
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get body(): RefusalBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.detail && { detail: this.detail }),
      ...(this.reason !== undefined && { reason: this.reason }),
      ...(this.fields && { fields: this.fields }),
      ...(this.retryAfterSeconds !== undefined && { retryAfterSeconds: this.retryAfterSeconds }),
    }
  }
}
