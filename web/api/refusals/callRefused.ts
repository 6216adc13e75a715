import type { RefusalBody, RefusalCode } from '#contract/refusal.ts'
import type { RefusalDetail } from '#contract/shared/refusalSentences.ts'
import { isFinal, isRetryable } from '#contract/shared/refusals.ts'

/**
 * The server's codes, plus one of our own: no response, a response timeout, or a response that is not
 * in our format.
 */
export type RefusedCode = RefusalCode | 'unreachable'

/**
 * The machine-readable part of a refusal. The server's English sentence is left out: the app shows its
 * own text.
 */
export type RefusalRead = Omit<RefusalBody, 'code' | 'message'> & { code: RefusedCode }

/** Thrown when a call fails. `refusalText` turns it into a sentence for people. */
export class CallRefused extends Error {
  readonly code: RefusedCode
  /** A more precise reason, for codes that are too general. */
  readonly detail: RefusalDetail | null
  /** Invalid input fields, each with its reason. */
  readonly fields: Readonly<Record<string, RefusalDetail>>
  /** Earliest time for a retry. */
  readonly retryAfterSeconds: number | null

  constructor(refusal: RefusalRead, cause?: unknown) {
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

  /** Whether what a screen's URL names does not exist for this user; an invalid id counts too. */
  get isInaccessible(): boolean {
    return this.code === 'invalid-input' || (this.code !== 'unreachable' && isFinal(this.code))
  }
}
