import { RecordingRefused } from './recordingRefused.ts'

/** Longer values are cut where they are quoted. */
const longestQuote = 40

/** The place of a value in its file. */
export interface Place {
  /** Such as `row 12`. */
  readonly row: string
  /** Such as `the column “time”`. */
  readonly column: string
}

/** Counts rows whose values can and cannot be read, and refuses a file in which most cannot. */
export class UnreadValues {
  #count = 0
  #sentence: string | null = null
  #isTime = false
  #empty: string | null = null

  /** Records a value that is there, but is not `what`: a time, a latitude. */
  add(value: string, what: string, { row, column }: Place) {
    this.#count += 1
    if (this.#sentence !== null) return
    this.#isTime = what === 'a time'
    this.#sentence = `${quoted(value)} in ${column}, ${row}, is not ${what} that can be read.`
  }

  /** Records a row without one of its values. */
  addEmpty(value: string, { row, column }: Place) {
    this.#empty ??= `${column} ${value.trim() === '' ? 'is empty' : `has ${quoted(value)}`} in ${row}`
  }

  /** Throws RecordingRefused if fewer rows can be read than cannot, or none has all values. */
  requireMost(readable: number) {
    if (readable === 0 && this.#sentence === null && this.#empty !== null)
      throw new RecordingRefused(
        `No row has a time, a latitude and a longitude: ${this.#empty}. Export it with times and GPS positions.`,
      )
    if (this.#sentence === null || this.#count <= readable) return
    const hint = this.#isTime ? ' Export the times as 2026-06-20T13:00:00.5Z or in seconds.' : ''
    throw new RecordingRefused(`${this.#sentence}${hint}`)
  }
}

/** Quotes a text of a file: one line, cut if it is long. */
export function quoted(text: string): string {
  const line = text
    .slice(0, 2 * longestQuote)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return `“${line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line}”`
}
