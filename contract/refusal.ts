import { z } from 'zod'
import { refusals } from './refusals.ts'

export type RefusalCode = keyof typeof refusals

export const RefusalCode = z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]])

/** How a refusal travels: the body of an HTTP 4xx/5xx answer. */
export const RefusalBody = z.object({
  code: RefusalCode,
  message: z.string(),
  /** Which field of the input is wrong, and why. */
  fields: z.record(z.string(), z.string()).optional(),
  /** When trying again makes sense. */
  retryAfterSeconds: z.number().optional(),
})
export type RefusalBody = z.infer<typeof RefusalBody>

/** Thrown by whoever refuses; carried to the browser as the same code. Anything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: RefusalCode,
    more: { message?: string; fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(more.message ?? refusals[code][1])
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code][0]
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get body(): RefusalBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.retryAfterSeconds !== undefined && { retryAfterSeconds: this.retryAfterSeconds }),
    }
  }
}
