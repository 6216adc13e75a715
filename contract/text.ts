import { z } from 'zod'

/** No control characters, halves of a character, or what turns the direction of the text around it. */
const printable = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u

/** A line of text a person typed: trimmed, 1 to 80 characters, all of them printable. */
export function lineOfText(whenEmpty: string) {
  return z
    .string()
    .trim()
    .min(1, whenEmpty)
    .max(80, 'Use at most 80 characters.')
    .regex(printable, 'Use letters, digits and punctuation only.')
}
