import { dayMs } from '#contract/shared/durations.ts'
import type { CsvColumn, CsvColumns } from './csvColumns.ts'
import { timeIn } from './instant.ts'
import { degreesIn, isMissing, numberAndUnit, numberIn } from './numbers.ts'
import { convertDegrees, isGarmin } from './places.ts'
import type { RecordedFix } from './recordedFix.ts'
import { convertTimes } from './timeUnits.ts'
import { unitFactor } from './units.ts'
import type { UnreadValues } from './unread.ts'

/** If more rows than this have the same time of two numbers, such as 12:34, these are hours and minutes. */
const mostInSecond = 30

/** Times before this one have no date. */
const earliestMs = Date.UTC(1980, 0, 1)

/** Garmin counts seconds from this time: taken as Unix times they would be before the first recordings of today. */
const garminStartMs = Date.UTC(1989, 11, 31)
const garminUntilMs = Date.UTC(2010, 0, 1)

interface Options {
  readonly columns: CsvColumns
  /** Number of columns. */
  readonly width: number
  /** The first rows, from which the format of times is detected. */
  readonly first: readonly string[][]
  /** Metres a second of a speed without a unit. */
  readonly speedPer: number
  readonly monthFirst: boolean
  readonly unread: UnreadValues
}

/** Converts rows to fixes. Rows without a time or a position belong to other sensors. */
export class RowReader {
  readonly #options: Options
  readonly #columns: CsvColumns
  readonly #isMinutes: boolean
  readonly #fixes: RecordedFix[] = []
  /** True if times are numbers, whose unit `finish` detects; null before the first one. */
  #isNumeric: boolean | null = null
  /** The first date and time of another column, and the time without a date in the same row. */
  #dated: { readonly utcMs: number; readonly time: number } | null = null
  /** The day in the first row with one, if times are numbers. */
  #dayMs: number | null = null

  constructor(options: Options) {
    this.#options = options
    this.#columns = options.columns
    this.#isMinutes = hasMinutesAlone(options)
  }

  /** Adds a row; `index` is its number below the header, for refusals. */
  add(row: readonly string[], index: number) {
    const { time, latitude, longitude } = this.#columns
    const place = (column: CsvColumn) => ({
      row: `row ${index}`,
      column: `the column “${column.name}”`,
    })
    const { unread } = this.#options
    const empty = [time, latitude, longitude].find(({ index: at }) => isMissing(row[at]))
    if (empty) unread.addEmpty(row[empty.index] ?? '', place(empty))
    if (isMissing(row[time.index])) return
    const at = this.#timeOf(row)
    if (!Number.isNaN(at)) this.#findDate(row, at)
    const north = degreesIn(row[latitude.index])
    const east = degreesIn(row[longitude.index])
    if (north === null || east === null) return
    const add = (column: CsvColumn, what: string) =>
      unread.add(row[column.index] ?? '', what, place(column))
    if (Number.isNaN(at)) add(this.#wrongDate(row) ?? time, 'a time')
    else if (Number.isNaN(north) || isNoLatitude(north, east, latitude)) add(latitude, 'a latitude')
    else if (Number.isNaN(east) || isNoAngle(east, 180, longitude)) add(longitude, 'a longitude')
    else if (this.#isCut(row, north)) add(latitude, 'a latitude with a decimal point')
    else this.#fixes.push(this.#fixOf(row, { at, north, east }))
  }

  /** Returns the fixes, with times since the epoch if the rows have a date. */
  finish(): RecordedFix[] {
    const { time, latitude, longitude } = this.#columns
    const fixes = this.#fixes
    convertDegrees(fixes, latitude, longitude)
    let shiftMs = 0
    const undated = this.#dated && fixAt(this.#dated.time)
    if (this.#isNumeric) {
      // The row with the date may have no position of its own.
      convertTimes(fixes, time.factor, undated)
      const first = fixes[0]?.atMs ?? 0
      if (this.#dayMs !== null && first >= 0 && first < dayMs) shiftMs = this.#dayMs
      if (isGarmin(latitude) && first > earliestMs && first < garminUntilMs) shiftMs = garminStartMs
    }
    const isUndated = fixes.length > 0 && shiftMs === 0 && (fixes[0]?.atMs ?? 0) < earliestMs
    if (isUndated && this.#dated && undated) shiftMs = Math.round(this.#dated.utcMs - undated.atMs)
    if (shiftMs !== 0) for (const fix of fixes) fix.atMs += shiftMs
    return fixes
  }

  /** Returns a number in the unit of the column, or the milliseconds of a text; NaN if it cannot be read. */
  #timeOf(row: readonly string[]): number {
    const { time, date, millis } = this.#columns
    const cell = row[time.index] ?? ''
    const value = numberIn(cell) ?? Number.NaN
    this.#isNumeric ??= Number.isNaN(value) ? null : true
    if (this.#isNumeric) return value
    const read = timeIn(cell, this.#options.monthFirst)
    if (!read?.hasTime) return Number.NaN
    this.#isNumeric = false
    const more = read.hasFraction || !millis ? 0 : numberIn(row[millis.index])
    const ms = (read.isShort && this.#isMinutes ? read.ms / 60 : read.ms) + (more ?? 0)
    // A full date in the time needs no other one.
    if (read.hasDate || !date || isMissing(row[date.index])) return ms
    return (timeIn(row[date.index] ?? '', this.#options.monthFirst)?.ms ?? Number.NaN) + ms
  }

  /** Finds the date of times that have none, in another column. */
  #findDate(row: readonly string[], time: number) {
    const { utc, date, time: own } = this.#columns
    const { monthFirst } = this.#options
    if (this.#isNumeric && date && this.#dayMs === null) {
      const ms = timeIn(row[date.index] ?? '', monthFirst)?.ms
      if (ms !== undefined) this.#dayMs = ms - (ms % dayMs)
    }
    if (!utc || utc.index === own.index || this.#dated) return
    const cell = row[utc.index]
    const number = numberIn(cell)
    if (number === null) return
    const read = Number.isNaN(number)
      ? timeIn(cell ?? '', monthFirst)?.ms
      : datedMs(number, utc.factor)
    if (read !== undefined && read >= earliestMs) this.#dated = { utcMs: read, time }
  }

  /** Returns the column of the date if its value is the unreadable one. */
  #wrongDate(row: readonly string[]): CsvColumn | null {
    const { time, date } = this.#columns
    if (this.#isNumeric || !date || isMissing(row[date.index])) return null
    return timeIn(row[time.index] ?? '') ? date : null
  }

  #fixOf(
    row: readonly string[],
    { at, north, east }: { at: number; north: number; east: number },
  ): RecordedFix {
    const { heading, accuracy, arrival } = this.#columns
    const metres = accuracy && optional(row[accuracy.index])
    return {
      atMs: at,
      latitude: this.#isAt(row, 'north', 'S') ? -north : north,
      longitude: this.#isAt(row, 'east', 'W') ? -east : east,
      speedMps: this.#speedOf(row),
      headingDeg: heading && optional(row[heading.index]),
      accuracyM: metres === null ? null : metres * (accuracy?.factor ?? 1),
      ...(arrival && optional(row[arrival.index]) === 1 && { atArrival: true }),
    }
  }

  #speedOf(row: readonly string[]): number | null {
    const { speed } = this.#columns
    const cell = speed ? row[speed.index] : undefined
    const value = optional(cell)
    if (!speed || cell === undefined || value === null) return null
    // The unit may be in the cell: 77.6 mph.
    const own = /\d$/.test(cell) ? null : unitFactor('speed', numberAndUnit(cell)?.unit ?? '')
    return value * (own ?? speed.factor ?? this.#options.speedPer)
  }

  /** True for a whole number in a row with more values than columns: a decimal comma has split the number in two. */
  #isCut(row: readonly string[], north: number): boolean {
    const isWide = row.slice(this.#options.width).some(cell => cell !== '')
    return isWide && Number.isInteger(north) && Math.abs(north) <= 90
  }

  #isAt(row: readonly string[], side: 'north' | 'east', letter: string): boolean {
    const column = this.#columns[side]
    return column !== null && row[column.index]?.trim().toUpperCase().startsWith(letter) === true
  }
}

/**
 * True for a number that cannot be a latitude in any unit. Above 90 it may be degrees and minutes in one number, but not
 * beside a longitude of at most 90: that is in the Atlantic Ocean, so the two columns were exchanged.
 */
function isNoLatitude(north: number, east: number, column: CsvColumn): boolean {
  const isExchanged = Math.abs(north) > 90 && Math.abs(north) <= 180 && Math.abs(east) <= 90
  return (isExchanged && (column.factor ?? 1) === 1) || isNoAngle(north, 90, column)
}

/** True for a number too large for degrees and minutes that is not a whole one, such as ten-millionths of a degree. */
function isNoAngle(value: number, mostDeg: number, { factor }: CsvColumn): boolean {
  return (factor ?? 1) === 1 && Math.abs(value) > 100 * mostDeg + 60 && !Number.isInteger(value)
}

/** Reads a value that a fix need not have. */
function optional(cell: string | undefined): number | null {
  const value = numberIn(cell)
  return Number.isNaN(value) ? null : value
}

/** Returns a number of another column as milliseconds, by its unit or, without one, by its size. */
function datedMs(value: number, factor: number | null): number {
  const fix = fixAt(value)
  convertTimes([fix], factor)
  return fix.atMs
}

function fixAt(atMs: number): RecordedFix {
  return { atMs, latitude: 0, longitude: 0, speedMps: null, headingDeg: null, accuracyM: null }
}

/** True if times of two numbers, such as 12:34, are minutes and seconds. */
function hasMinutesAlone({ columns, first }: Options): boolean {
  if (columns.date) return false
  const read = first.flatMap(row => timeIn(row[columns.time.index] ?? '') ?? [])
  const short = read.filter(({ isShort }) => isShort)
  if (short.some(({ hasDate }) => hasDate)) return false
  // A spreadsheet leaves out a fraction of 0.
  if (short.length < read.length && read.some(({ hasFraction }) => hasFraction)) return true
  return short.length < mostInSecond * new Set(short.map(({ ms }) => ms)).size
}
