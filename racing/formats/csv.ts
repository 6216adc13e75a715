import { parse } from 'csv-parse/sync'
import { type CsvColumns, columnsIn, isHeader } from './csvColumns.ts'
import { headerIn, maxRowLetters, namesOf } from './csvHeader.ts'
import { RowReader } from './csvRows.ts'
import { withFitColumns } from './fitCsv.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { mpsPerKmh } from './speedUnits.ts'
import { UnreadValues } from './unread.ts'

/** How the file of RaceChrono begins. Its speeds are in m/s, if it names no unit. */
const raceChrono = /^\s*This file is created using RaceChrono/

/** Rows below the header that may contain units and sources. */
const unitRows = 2

/** Rows that show how times are written. */
const firstRows = 300

/**
 * Reads a CSV file with a header: `time_s`, `t_s` or `utc_s`, `latitude_deg` and `longitude_deg`, and optionally
 * `speed_kmh` or `speed_mps`, `heading_deg`, `accuracy_m` and `at_arrival` (1: see `atArrival` of a fix), or with the
 * names in `columns.ts`. Other lines may precede the header, units follow it, and another header with its rows follow
 * those. `monthFirst` as in `timeIn`. Throws RecordingRefused.
 */
export function csvFixes(given: string, monthFirst: boolean): RecordedFix[] {
  const text = withFitColumns(given)
  const { start, delimiter } = headerIn(text)
  const speedPer = raceChrono.test(text) ? 1 : mpsPerKmh
  const rows = new Rows({ speedPer, monthFirst })
  const table = text.slice(start)
  // Quotes inside of a cell, `"Speed"|"km/h"|0|300`, are not those of CSV.
  const plain = table.slice(0, maxRowLetters).includes('"|') ? table.replaceAll('"', '') : table
  // Columns that are aligned with spaces have several between two cells.
  const cells = delimiter === ' ' ? plain.replace(/^ +/gm, '').replace(/ {2,}/g, ' ') : plain
  eachRow(cells, delimiter, row => rows.add(row))
  return rows.finish()
}

/** True for a row of units or sources. */
function isText(row: readonly string[]): boolean {
  return !row.some(cell => /^[\s"]*[-+]?\d+[.,:]\d/.test(cell))
}

/** Passes each row to `read`, which keeps none of them: a day at 25 Hz has two million. */
function eachRow(text: string, delimiter: string, read: (row: string[]) => void) {
  try {
    parse(text, {
      comment: '#',
      comment_no_infix: true,
      delimiter,
      maxRecordSize: maxRowLetters,
      onRecord: row => {
        read(row)
        return null
      },
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
      trim: true,
    })
  } catch (error) {
    if (error instanceof RecordingRefused) throw error
    throw new RecordingRefused(
      'The file is neither VBO, GPX, TCX, KML, NMEA nor CSV. Export the recording in one of these formats.',
    )
  }
}

interface Settings {
  /** Metres a second of a speed whose unit the file does not name. */
  readonly speedPer: number
  readonly monthFirst: boolean
}

/** Reads the fixes from rows. The first row is the header. */
class Rows {
  readonly #settings: Settings
  readonly #fixes: RecordedFix[] = []
  readonly #unread = new UnreadValues()
  #first: string[][] = []
  #row = 0
  #reader: RowReader | null = null

  constructor(settings: Settings) {
    this.#settings = settings
  }

  add(row: string[]) {
    this.#row += 1
    // Files that were joined have several headers.
    if (this.#row > 1 && isHeaderAgain(row)) {
      this.#end()
      this.#row = 1
    }
    if (this.#reader) return this.#reader.add(row, this.#row)
    this.#first.push(row)
    if (this.#first.length > firstRows) this.#begin()
  }

  finish(): RecordedFix[] {
    this.#end()
    this.#unread.requireMost(this.#fixes.length)
    return this.#fixes
  }

  #begin(): RowReader {
    const [header = [], ...below] = this.#first
    const columns = columnsOf(header, below)
    const width = header.length
    const read = { columns, width, unread: this.#unread, first: below }
    const reader = new RowReader({ ...this.#settings, ...read })
    for (const [index, row] of below.entries()) reader.add(row, index + 2)
    this.#reader = reader
    return reader
  }

  #end() {
    if (this.#row === 0) return
    const fixes = (this.#reader ?? this.#begin()).finish()
    for (const fix of fixes) this.#fixes.push(fix)
    this.#reader = null
    this.#first = []
  }
}

function columnsOf(header: readonly string[], below: readonly string[][]): CsvColumns {
  const found = columnsIn(header, below.slice(0, unitRows).filter(isText))
  if (!('missing' in found)) return found
  const missing = found.missing.map(role => `the ${role}`).join(' and ')
  throw new RecordingRefused(
    `The file has no column with ${missing}, only ${namesOf(header)}. Name it ${found.missing
      .map(
        role =>
          ({ time: 'time_s or utc_s', latitude: 'latitude_deg' })[role as string] ??
          'longitude_deg',
      )
      .join(', ')}.`,
  )
}

/** Only rows that begin with a letter are compared with the names of columns. */
function isHeaderAgain(row: readonly string[]): boolean {
  return row.some(cell => /^"?l[a-z]{2}/i.test(cell)) && isHeader(row)
}
