import { parse } from 'csv-parse/sync'
import type { RecordedFix } from './clean/recordedFix.ts'
import { type CsvColumns, columnsIn, isHeader } from './csvColumns.ts'
import { instantIn, timeOfDayIn } from './instant.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { mpsPerKmh } from './speedUnits.ts'

/** How the file of RaceChrono begins. Its speeds are in m/s, if it names no unit. */
const raceChrono = /^\s*This file is created using RaceChrono/

/** The header is one of the first lines that are not empty. */
const headerLines = 200

/** Rows below the header that may contain units and sources. */
const unitRows = 2

/** A file with a longer row is refused. */
const maxRowLetters = 100_000

/** Separators other than the comma. With one of them a comma may be a decimal sign. */
const separators = [';', '\t'] as const

/** A larger time without a unit is in milliseconds since the epoch. */
const latestSeconds = 1e11

/**
 * Reads a CSV file with a header: `time_s`, `t_s` or `utc_s`, `latitude_deg` and `longitude_deg`, and optionally
 * `speed_kmh` or `speed_mps`, `heading_deg`, `accuracy_m` and `at_arrival` (1: see `atArrival` of a fix), or with the names that RaceChrono and other apps use.
 * Other lines may precede the header, and units follow it. Beside another time, only the date is read from `utc_s`.
 * `monthFirst` as in `instantIn`. Throws RecordingRefused.
 */
export function csvFixes(text: string, monthFirst: boolean): RecordedFix[] {
  const { start, delimiter } = headerIn(text)
  const speedPer = raceChrono.test(text) ? 1 : mpsPerKmh
  const rows = new Rows(speedPer, monthFirst)
  eachRow(text.slice(start), delimiter, row => rows.add(row))
  return rows.finish()
}

/** True for a row of units or sources. */
function isText(row: readonly string[]): boolean {
  return !row.some(cell => /^[\s"]*[-+]?\d+[.,]\d/.test(cell))
}

/** Finds the line with the names of the columns, and their separator: the header has no decimal numbers. */
function headerIn(text: string): { start: number; delimiter: string } {
  const end = text.includes('\n') ? '\n' : '\r'
  let line = 0
  for (let start = 0, at = 0; line < headerLines && at !== -1; start = at + 1) {
    at = text.indexOf(end, start)
    const longest = start + maxRowLetters
    const words = text.slice(start, at === -1 ? longest : Math.min(at, longest)).trim()
    if (words === '') continue
    line += 1
    const delimiter = separators.find(each => words.includes(each)) ?? ','
    const cells = words.split(delimiter).map(cell => cell.replaceAll('"', '').trim())
    if (!words.startsWith('#') && isHeader(cells)) return { start, delimiter }
  }
  throw new RecordingRefused(
    'The file is neither VBO, GPX nor NMEA, and as a CSV file it needs the columns time_s or t_s or utc_s, latitude_deg, longitude_deg.',
  )
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
    throw new RecordingRefused('The file is neither VBO, GPX, NMEA nor CSV.')
  }
}

/** Reads the fixes from rows. The first row is the header. */
class Rows {
  readonly #speedPer: number
  readonly #monthFirst: boolean
  readonly #fixes: RecordedFix[] = []
  #first: string[][] = []
  #reader: RowReader | null = null

  constructor(speedPer: number, monthFirst: boolean) {
    this.#speedPer = speedPer
    this.#monthFirst = monthFirst
  }

  add(row: string[]) {
    if (this.#reader) return this.#keep(this.#reader.fixOf(row))
    this.#first.push(row)
    if (this.#first.length > unitRows) this.#begin()
  }

  finish(): RecordedFix[] {
    const { dateMs } = this.#reader ?? this.#begin()
    for (const fix of this.#fixes) fix.atMs += dateMs
    return this.#fixes
  }

  #begin(): RowReader {
    const [header = [], ...below] = this.#first
    const columns = columnsIn(header, below.filter(isText), this.#speedPer)
    if (!columns)
      throw new RecordingRefused(
        'The file needs the columns time_s or t_s or utc_s, latitude_deg, longitude_deg.',
      )
    const reader = new RowReader(columns, this.#monthFirst)
    for (const row of below) this.#keep(reader.fixOf(row))
    this.#reader = reader
    return reader
  }

  #keep(fix: RecordedFix | null) {
    if (fix) this.#fixes.push(fix)
  }
}

/** Converts rows to fixes. Rows without a time or a position belong to other sensors. */
class RowReader {
  readonly #columns: CsvColumns
  readonly #monthFirst: boolean
  /** Milliseconds from the time of the rows to the epoch, once a row shows it. */
  #dateMs: number | null = null

  constructor(columns: CsvColumns, monthFirst: boolean) {
    this.#columns = columns
    this.#monthFirst = monthFirst
  }

  /** Milliseconds to add to the time of each fix. */
  get dateMs(): number {
    return this.#dateMs ?? 0
  }

  fixOf(row: string[]): RecordedFix | null {
    const { time, latitude, longitude, speed, heading, accuracy, arrival, utc } = this.#columns
    const atMs = this.#timeIn(row)
    if (atMs === null) return null
    const utcS = utc && utc.index !== time.index ? numberIn(row[utc.index]) : null
    if (utcS !== null) this.#dateMs ??= Math.round(utcS * 1000 - atMs)
    const north = numberIn(row[latitude.index])
    const east = numberIn(row[longitude.index])
    if (north === null || east === null) return null
    const mps = speed && numberIn(row[speed.index])
    const metres = accuracy && numberIn(row[accuracy.index])
    return {
      atMs,
      latitude: this.#isAt(row, 'north', 'S') ? -north : north,
      longitude: this.#isAt(row, 'east', 'W') ? -east : east,
      speedMps: mps === null ? null : mps * (speed?.factor ?? 1),
      headingDeg: heading && numberIn(row[heading.index]),
      accuracyM: metres === null ? null : metres * (accuracy?.factor ?? 1),
      ...(arrival && numberIn(row[arrival.index]) === 1 && { atArrival: true }),
    }
  }

  #timeIn(row: string[]): number | null {
    const { time, date } = this.#columns
    const cell = row[time.index]
    const value = numberIn(cell)
    if (value !== null) return value * (value > latestSeconds ? 1 : time.factor)
    const ms = instantIn(cell ?? '', this.#monthFirst)
    if (Number.isNaN(ms)) return null
    // A full date in the time needs no other one.
    const isTimeOfDay = !Number.isNaN(timeOfDayIn((cell ?? '').trim()))
    const day = date && isTimeOfDay ? instantIn(row[date.index] ?? '', this.#monthFirst) : 0
    return Number.isNaN(day) ? null : day + ms
  }

  #isAt(row: string[], side: 'north' | 'east', letter: string): boolean {
    const column = this.#columns[side]
    return column !== null && row[column.index]?.trim().toUpperCase() === letter
  }
}

/** Reads a number with a decimal point or comma, perhaps with its unit: “15.862 km/h”. */
function numberIn(cell: string | undefined): number | null {
  if (cell === undefined || cell === '') return null
  const value = Number(cell)
  if (Number.isFinite(value)) return value
  const [, digits] = /^([-+]?\d+(?:[.,]\d+)?)(?:\s+[a-z/]+)?$/i.exec(cell) ?? []
  return digits === undefined ? null : Number(digits.replace(',', '.'))
}
