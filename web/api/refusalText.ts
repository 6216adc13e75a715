import { refusals } from '#contract/refusals.ts'
import { en } from '#web/text/en.ts'
import { CallRefused } from './callRefused.ts'
import { isCode } from './refusalOf.ts'

/** The sentence to show for whatever a call threw: what happened and what to do. */
export function refusalText(reason: unknown): string {
  if (!(reason instanceof CallRefused)) return en.refusals.unexpected
  if (reason.code === 'unreachable') return en.refusals.unreachable
  const sentence = reason.message || refusals[reason.code][1]
  return reason.retryAfterSeconds === null ? sentence : withWait(sentence, reason.retryAfterSeconds)
}

/** The sentence for a code that came in an address, such as `?refused=google-not-set-up`. */
export function sentenceOf(code: string): string {
  return isCode(code) ? refusals[code][1] : en.refusals.unexpected
}

function withWait(sentence: string, seconds: number): string {
  return seconds < 100
    ? en.refusals.waitSeconds(sentence, Math.ceil(seconds))
    : en.refusals.waitMinutes(sentence, Math.ceil(seconds / 60))
}
