import { z } from 'zod'
import type { RefusalDetail } from './refusalSentences.ts'

/** No control characters, halves of a character, or what turns the direction of the text around it. */
const printable = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u

/** A line of text a person typed: trimmed, 1 to 80 characters, all of them printable. */
export const LineOfText = z
  .string()
  .trim()
  .min(1, said('missing'))
  .max(80, said('too-long'))
  .regex(printable, said('not-printable'))

/** What a schema says of a field that is not as it wants it. */
export function said(detail: RefusalDetail): RefusalDetail {
  return detail
}
