import { instantIn } from './instant.ts'

/** A date such as 05/06/2026, whose first number may be the day or the month. */
export interface AmbiguousDay {
  /** The date as written in the file. */
  text: string
  /** Start (UTC) of the day if the first number is the day, as `readRecording` reads it without `monthFirst`. */
  dayFirstMs: number
  /** Start (UTC) of the day if the first number is the month. */
  monthFirstMs: number
}

/** Lines that may contain the date of the positions: the line `File created on` of a VBO file, and rows of a CSV file. */
const datedLine = /^(?:File created on |["\d])/i

/**
 * Returns the first date at the beginning of a recording if its day and month could be swapped. Otherwise, and without a
 * date, returns null.
 */
export function ambiguousDayIn(head: string): AmbiguousDay | null {
  for (const line of head.split(/\r\n?|\n/)) {
    if (!datedLine.test(line)) continue
    const [, text, first, second] =
      /(?:^|[^\d/.-])((\d{1,2})[-/.](\d{1,2})[-/.]\d{4})(?![\d/.-])/.exec(line) ?? []
    if (text === undefined) continue
    if (Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second)) return null
    return {
      text,
      dayFirstMs: instantIn(text),
      monthFirstMs: instantIn(text, true),
    }
  }
  return null
}
