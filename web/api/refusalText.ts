import { refusals } from '#contract/refusals.ts'
import { refusalsText } from '#web/text/refusals.ts'
import { CallRefused } from './callRefused.ts'
import { isCode } from './refusalOf.ts'

/** The sentence to show for whatever a call threw: what happened and what to do. */
export function refusalText(reason: unknown): string {
  if (!(reason instanceof CallRefused)) return refusalsText.unexpected
  if (reason.code === 'unreachable') return refusalsText.unreachable
  const sentence = reason.message || refusals[reason.code][1]
  return reason.retryAfterSeconds === null ? sentence : withWait(sentence, reason.retryAfterSeconds)
}

/** The sentence for a code that came in an address, such as `?refused=google-not-set-up`. */
export function sentenceOf(code: string): string {
  return isCode(code) ? refusals[code][1] : refusalsText.unexpected
}

function withWait(sentence: string, seconds: number): string {
  return seconds < 100
    ? refusalsText.waitSeconds(sentence, Math.ceil(seconds))
    : refusalsText.waitMinutes(sentence, Math.ceil(seconds / 60))
}
