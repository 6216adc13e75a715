import type { RecordedFix } from './clean/recordedFix.ts'
import { instantIn, timeOfDayIn } from './instant.ts'
import { eachLine } from './lines.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { mpsPerKmh, mpsPerKnot, mpsPerMph } from './speedUnits.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Reads a VBO file: sections in brackets in any order, names of columns, and rows; several sessions may follow each
 * other. Latitude and longitude are in minutes, west is positive, or in degrees; time is HHMMSS.ss, velocity km/h if
 * the header names no other unit. Times count from the day in the first line, if it names one, else from 0.
 * `monthFirst` as in `instantIn`. Throws RecordingRefused.
 */
export function vboFixes(text: string, monthFirst: boolean): RecordedFix[] {
  const reader = new Reader(monthFirst)
  eachLine(text, line => reader.add(line))
  return reader.finish()
}

/** Indexes of columns; -1 if the file has none. */
interface Columns {
  time: number
  lat: number
  long: number
  velocity: number
  heading: number
  accuracy: number
}

/** When a file was created, in the zone of its logger. */
interface Created {
  readonly dayStartMs: number
  /** Null if the file names only the day. */
  readonly timeOfDayMs: number | null
}

class Reader {
  readonly #monthFirst: boolean
  readonly #fixes: RecordedFix[] = []
  #section = ''
  #names: string[] = []
  #columns: Columns | null = null
  #mpsPerUnit = mpsPerKmh
  #created: Created | null = null
  #midnightMs: number | null = null
  #lastMs = Number.NEGATIVE_INFINITY

  constructor(monthFirst: boolean) {
    this.#monthFirst = monthFirst
  }

  add(line: string) {
    if (this.#section === 'data' && line !== '' && line[0] !== '[' && line[0] !== 'F')
      return this.#addRow(line)
    const [, title] = /^\s*\[(.+)\]\s*$/.exec(line) ?? []
    if (title !== undefined) return this.#begin(title.toLowerCase())
    const created = createdIn(line, this.#monthFirst)
    if (created) this.#startSession(created)
    else if (line.trim() === '') return
    else if (this.#section === 'column names')
      for (const name of line.trim().toLowerCase().split(separatorIn(line))) this.#names.push(name)
    else if (this.#section === 'header' || this.#section === 'channel units')
      this.#mpsPerUnit = unitIn(line) ?? this.#mpsPerUnit
  }

  finish(): RecordedFix[] {
    if (!this.#columns)
      throw new RecordingRefused('The VBO file needs the columns time, lat and long.')
    const inDegrees = this.#fixes.filter(
      ({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180,
    )
    // The majority decides, because single values may be damaged.
    if (inDegrees.length <= this.#fixes.length / 2) {
      for (const fix of this.#fixes) {
        fix.latitude /= 60
        fix.longitude /= -60
      }
    }
    return this.#fixes
  }

  #begin(title: string) {
    this.#section = title
    if (title === 'column names') this.#names = []
    if (title === 'data') this.#columns = columnsOf(this.#names)
  }

  #startSession(created: Created) {
    this.#created = created
    this.#midnightMs = null
    this.#section = ''
  }

  #addRow(line: string) {
    if (!this.#columns) return
    const { time, lat, long, velocity, heading, accuracy } = this.#columns
    const cells = line.trim().split(separatorIn(line))
    const timeOfDayMs = timeIn(cells[time])
    const latitude = numberIn(cells[lat])
    const longitude = numberIn(cells[long])
    // Zeros are written before the first position: their time is not set either.
    if (
      timeOfDayMs === null ||
      latitude === null ||
      longitude === null ||
      (latitude === 0 && longitude === 0)
    )
      return
    this.#midnightMs ??= this.#midnightBefore(timeOfDayMs)
    if (timeOfDayMs + this.#midnightMs < this.#lastMs - dayMs / 2) this.#midnightMs += dayMs
    this.#lastMs = timeOfDayMs + this.#midnightMs
    const speed = numberIn(cells[velocity])
    this.#fixes.push({
      atMs: this.#lastMs,
      latitude,
      longitude,
      speedMps: speed === null ? null : speed * this.#mpsPerUnit,
      headingDeg: numberIn(cells[heading]),
      // Pitboard's own column, in metres: 0 where it is unknown.
      accuracyM: numberIn(cells[accuracy]) || null,
    })
  }

  /** Returns the start of the day (UTC) of the first row. The file may be created in another zone, on another day. */
  #midnightBefore(timeOfDayMs: number): number {
    if (!this.#created) return 0
    const { dayStartMs, timeOfDayMs: createdMs } = this.#created
    const days = createdMs === null ? 0 : Math.round((createdMs - timeOfDayMs) / dayMs)
    return dayStartMs + days * dayMs
  }
}

/** Returns the separator of a line's cells: commas only if the line has no other. */
function separatorIn(line: string): RegExp | string {
  return line.includes(',') && !/\S\s+\S/.test(line) ? ',' : /\s+/
}

function columnsOf(names: readonly string[]): Columns | null {
  const index = (...any: string[]) => names.findIndex(name => any.includes(name))
  const columns = {
    time: index('time'),
    lat: index('lat', 'latitude'),
    long: index('long', 'lon', 'longitude'),
    velocity: index('velocity', 'velocity_kmh', 'speed'),
    heading: index('heading'),
    accuracy: index('accuracy'),
  }
  return columns.time === -1 || columns.lat === -1 || columns.long === -1 ? null : columns
}

/** Returns the metres a second in a unit of the velocity, if the line names it. */
function unitIn(line: string): number | null {
  const [, unit = ''] = /^\s*velocity[\s_(]+(\S*)/i.exec(line) ?? []
  if (/^mph|^mi/i.test(unit)) return mpsPerMph
  if (/^kn|^kts/i.test(unit)) return mpsPerKnot
  if (/^m\/s|^mps/i.test(unit)) return 1
  return /^k/i.test(unit) ? mpsPerKmh : null
}

/** Returns the day and time of day at which the file was created, in the zone of the logger; null for other lines. */
function createdIn(line: string, monthFirst: boolean): Created | null {
  const [, day, time] =
    /^File created on (\d{1,2}\/\d{1,2}\/\d{4})(?:\s*(?:(?:at|@)\s*)?(\d{1,2}:\d{2}(?::\d{2})?))?/i.exec(
      line,
    ) ?? []
  if (day === undefined) return null
  const dayStartMs = instantIn(day, monthFirst)
  if (Number.isNaN(dayStartMs)) return null
  return { dayStartMs, timeOfDayMs: time === undefined ? null : timeOfDayIn(time) }
}

/** Reads HHMMSS.ss or HH:MM:SS.ss. */
function timeIn(cell: string | undefined): number | null {
  if (cell?.includes(':')) {
    const ms = timeOfDayIn(cell)
    return Number.isNaN(ms) ? null : ms
  }
  const value = numberIn(cell)
  if (value === null || value < 0) return null
  const hours = Math.floor(value / 10_000)
  const minutes = Math.floor(value / 100) % 100
  return Math.round((hours * 3600 + minutes * 60 + (value % 100)) * 1000)
}

function numberIn(cell: string | undefined): number | null {
  if (cell === undefined || cell === '') return null
  const value = Number(cell.includes(',') ? cell.replace(',', '.') : cell)
  return Number.isFinite(value) ? value : null
}
