import type { RefusalBody, RefusalCode } from '#contract/refusal.ts'
import type { RefusalDetail } from '#contract/refusalSentences.ts'

/** The server's codes, and one of our own: it did not answer, or not in time, or not as we speak. */
export type RefusedCode = RefusalCode | 'unreachable'

/** What the app takes of a refusal: the codes, which it says in its own words. */
export type RefusalRead = Omit<RefusalBody, 'code' | 'message'> & { code: RefusedCode }

/** Why a call did not do what it was asked. What to say of it: `refusalText`. */
export class CallRefused extends Error {
  readonly code: RefusedCode
  /** What exactly is wrong, where the code says too little. */
  readonly detail: RefusalDetail | null
  /** Which field of the input is wrong, and why. */
  readonly fields: Readonly<Record<string, RefusalDetail>>
  /** When trying again makes sense. */
  readonly retryAfterSeconds: number | null

  constructor(refusal: RefusalRead, cause?: unknown) {
    super(refusal.code, { cause })
    this.name = 'CallRefused'
    this.code = refusal.code
    this.detail = refusal.detail ?? null
    this.fields = refusal.fields ?? {}
    this.retryAfterSeconds = refusal.retryAfterSeconds || null
  }

  /** Whether the same call may well succeed in a moment. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || this.code === 'not-ready' || this.code === 'server-error'
  }
}
