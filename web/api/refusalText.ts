import { refusals } from '#contract/shared/refusals.ts'
import { refusalsText } from '#web/text/refusals.ts'
import { CallRefused } from './callRefused.ts'
import { isCode } from './refusalOf.ts'

/** Returns the sentence to show for anything a call threw: what happened and what to do. */
export function refusalText(reason: unknown): string {
  if (!(reason instanceof CallRefused)) return refusalsText.unexpected
  if (reason.code === 'unreachable') return refusalsText.unreachable
  const sentence = reason.detail ?? refusals[reason.code].sentence
  return reason.retryAfterSeconds === null ? sentence : withWait(sentence, reason.retryAfterSeconds)
}

/** Returns the sentence for a code from a URL, such as `?refused=google-not-set-up`. */
export function sentenceOf(code: string): string {
  return isCode(code) ? refusals[code].sentence : refusalsText.unexpected
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })

function withWait(sentence: string, seconds: number): string {
  return seconds < 100
    ? refusalsText.waitSeconds(sentence, whole.format(Math.ceil(seconds)))
    : refusalsText.waitMinutes(sentence, whole.format(Math.ceil(seconds / 60)))
}
