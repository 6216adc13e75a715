import { instantIn } from './instant.ts'

/** A date such as 05/06/2026, whose first number may be the day or the month. Both are starts of a day in UTC. */
export interface AmbiguousDay {
  /** As it is in the file. */
  text: string
  /** How `readRecording` reads it. */
  dayFirstMs: number
  monthFirstMs: number
}

/** Lines that may contain the date of the positions: the first one of a VBO file, and rows of a CSV file. */
const datedLine = /^(?:File created on |["\d])/i

/** Finds the first date in the beginning of a recording. Returns null if there is none, or if it can be read in one way only. */
export function ambiguousDayIn(head: string): AmbiguousDay | null {
  for (const line of head.split(/\r\n?|\n/)) {
    if (!datedLine.test(line)) continue
    const [, text, first, second, year] =
      /(?:^|[^\d/.-])((\d{1,2})[-/.](\d{1,2})[-/.](\d{4}))(?![\d/.-])/.exec(line) ?? []
    if (text === undefined) continue
    if (Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second)) return null
    return {
      text,
      dayFirstMs: instantIn(text),
      monthFirstMs: instantIn(`${second}/${first}/${year}`),
    }
  }
  return null
}
