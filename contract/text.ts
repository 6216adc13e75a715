import { z } from 'zod'

/** A line of text a person typed: trimmed, 1 to 80 characters, no control characters. */
export function lineOfText(whenEmpty: string) {
  return z
    .string()
    .trim()
    .min(1, whenEmpty)
    .max(80, 'Use at most 80 characters.')
    .regex(/^\P{Cc}*$/u, 'Use letters, digits and punctuation only.')
}
