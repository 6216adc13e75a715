/** For refusals that never reached the server or never came from it. */
export const refusalsText = {
  unreachable: 'The server did not answer. Check your connection, then try again.',
  unexpected: 'Something went wrong here. Try again.',
  waitSeconds: (sentence: string, seconds: number) => `${sentence} Wait ${seconds} s.`,
  waitMinutes: (sentence: string, minutes: number) => `${sentence} Wait ${minutes} min.`,
} as const
