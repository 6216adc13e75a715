import { dayMs } from './durations.ts'

// No zod here: both sides need these at run time.

/** Letters and digits of a code: without those that look alike, O and 0, I, L and 1. */
export const joinCodeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
export const joinCodeLength = 6

/** How long a code is valid at most. */
export const joinCodeLifeMs = 4 * dayMs

/** How many people may join with a code. */
export const joinCodeUses = { usual: 20, most: 50 } as const

/** Returns a code without spaces and dashes, in capitals. */
export function plainJoinCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
}
