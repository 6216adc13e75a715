/** Sentences for errors of calls, in addition to those of `contract/shared/refusals.ts`. */
export const refusalsText = {
  /** For calls that failed without a response of the server. */
  unreachable: 'The server did not respond. Check your connection, then try again.',
  unexpected: 'Something went wrong here. Try again.',
  waitSeconds: (sentence: string, seconds: string) => `${sentence} Wait ${seconds} s.`,
  waitMinutes: (sentence: string, minutes: string) => `${sentence} Wait ${minutes} min.`,
}
