import { refusalSentences } from '#contract/shared/refusalSentences.ts'

/** Sentences for errors of calls. */
export const refusalsText = {
  byCode: refusalSentences,
  /** For calls that failed without a response of the server. */
  unreachable: 'The server did not respond. Check your connection, then try again.',
  unexpected: 'Something went wrong here. Try again.',
  waitSeconds: (sentence: string, seconds: string) => `${sentence} Wait ${seconds} s.`,
  waitMinutes: (sentence: string, minutes: string) => `${sentence} Wait ${minutes} min.`,
}
