import type { RefusalBody, RefusalCode } from '#contract/refusal.ts'

/** The server's codes, and one of our own: it did not answer, or not in time, or not as we speak. */
export type RefusedCode = RefusalCode | 'unreachable'

/** Why a call did not do what it was asked. `message` is the server's sentence; empty if unreachable. */
export class CallRefused extends Error {
  readonly code: RefusedCode
  /** Which field of the input is wrong, and why. */
  readonly fields: Readonly<Record<string, string>>
  /** When trying again makes sense. */
  readonly retryAfterSeconds: number | null

  constructor(refusal: RefusalBody | { code: 'unreachable'; message: string }, cause?: unknown) {
    super(refusal.message, { cause })
    this.name = 'CallRefused'
    this.code = refusal.code
    this.fields = ('fields' in refusal && refusal.fields) || {}
    this.retryAfterSeconds = ('retryAfterSeconds' in refusal && refusal.retryAfterSeconds) || null
  }

  /** Whether the same call may well succeed in a moment. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || this.code === 'not-ready' || this.code === 'server-error'
  }
}
