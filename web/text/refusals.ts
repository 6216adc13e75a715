import { detailSentences, refusalSentences } from '#contract/refusalSentences.ts'
import { part } from './text.ts'

/** What is said of whatever a call threw. */
export const refusalsText = part('refusals', {
  byCode: refusalSentences,
  byDetail: detailSentences,
  /** For refusals that never reached the server or never came from it. */
  unreachable: 'The server did not answer. Check your connection, then try again.',
  unexpected: 'Something went wrong here. Try again.',
  waitSeconds: (sentence: string, seconds: string) => `${sentence} Wait ${seconds} s.`,
  waitMinutes: (sentence: string, minutes: string) => `${sentence} Wait ${minutes} min.`,
})
