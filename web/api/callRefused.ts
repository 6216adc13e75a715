import type { RefusalCode } from '#contract/refusal.ts'
import { isFinal, isRetryable } from '#contract/shared/refusals.ts'

/**
 * The server's codes, plus one of our own: no response, a response timeout, or a response that is not
 * in our format.
 */
export type RefusedCode = RefusalCode | 'unreachable'

/**
 * A refusal as the app shows it. The server's English sentence is left out: the app has its own, in the
 * language of the user.
 */
export interface ReadRefusal {
  code: RefusedCode
  detail?: string
  fields?: Readonly<Record<string, string>>
  retryAfterSeconds?: number
}

/** Thrown when a call fails. `refusalText` turns it into a sentence for people. */
export class CallRefused extends Error {
  readonly code: RefusedCode
  /** The sentence of a more precise reason, for codes that are too general. */
  readonly detail: string | null
  /** Invalid input fields, each with the sentence of its reason. */
  readonly fields: Readonly<Record<string, string>>
  /** Earliest time for a retry. */
  readonly retryAfterSeconds: number | null

  constructor(refusal: ReadRefusal, cause?: unknown) {
    super(refusal.code, { cause })
    this.name = 'CallRefused'
    this.code = refusal.code
    this.detail = refusal.detail ?? null
    this.fields = refusal.fields ?? {}
    this.retryAfterSeconds = refusal.retryAfterSeconds || null
  }

  /** Whether a retry may succeed shortly. A retry at once would use up the rate limit it met. */
  get mayRetrySoon(): boolean {
    return this.code === 'unreachable' || (this.code !== 'too-many' && isRetryable(this.code))
  }

  /** True if the entity in a screen's URL does not exist for this user, or its id is invalid. */
  get isInaccessible(): boolean {
    return this.code === 'invalid-input' || (this.code !== 'unreachable' && isFinal(this.code))
  }
}
