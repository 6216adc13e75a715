import { z } from 'zod'
import { detailSentences, type RefusalDetail, refusalSentences } from './refusalSentences.ts'
import { refusals } from './refusals.ts'

export type RefusalCode = keyof typeof refusals

export const RefusalCode = z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]])

const Detail = z.enum(Object.keys(detailSentences) as [RefusalDetail, ...RefusalDetail[]])

/** How a refusal travels: the body of an HTTP 4xx/5xx answer. */
export const RefusalBody = z.object({
  code: RefusalCode,
  /** In English. The app says it in its own words, by the codes. */
  message: z.string(),
  /** What exactly is wrong, where the code says too little. */
  detail: Detail.optional(),
  /** Which field of the input is wrong, and why. */
  fields: z.record(z.string(), Detail).optional(),
  /** When trying again makes sense. */
  retryAfterSeconds: z.number().optional(),
})
export type RefusalBody = z.infer<typeof RefusalBody>

/** Thrown by whoever refuses; carried to the browser as the same code. Anything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly detail: RefusalDetail | undefined
  readonly fields: Record<string, RefusalDetail> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: RefusalCode,
    more: {
      detail?: RefusalDetail
      fields?: Record<string, RefusalDetail>
      retryAfterSeconds?: number
    } = {},
  ) {
    super(more.detail ? detailSentences[more.detail] : refusalSentences[code])
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code]
    this.detail = more.detail
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get body(): RefusalBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.detail && { detail: this.detail }),
      ...(this.fields && { fields: this.fields }),
      ...(this.retryAfterSeconds !== undefined && { retryAfterSeconds: this.retryAfterSeconds }),
    }
  }
}
