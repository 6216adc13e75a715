import type { FlagWord } from './rmonitorLine.ts'

/** Flags under which stops are compared: racing, or a field that is slowed. */
export const paceFlags = ['green', 'yellow'] as const
export type PaceFlag = (typeof paceFlags)[number]

/** Words of sources, which RMonitor cuts to six letters. Code 60 is purple. */
const slowed = /^(yellow|purple|fcy|full c|v?sc\b|safety|code ?6)/

/** Returns whether a flag means racing or a slowed field; null for any other flag, and if none is shown. */
export function paceFlagOf(flag: FlagWord | null): PaceFlag | null {
  const word = flag?.trim().toLowerCase() ?? ''
  if (word.startsWith('green')) return 'green'
  return slowed.test(word) ? 'yellow' : null
}
