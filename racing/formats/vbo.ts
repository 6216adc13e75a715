import { dayMs } from '#contract/shared/durations.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import type { Position } from '#contract/shared/geo.ts'
import { columnName, type Role, rankOf } from './columns.ts'
import { timeIn } from './instant.ts'
import { eachLine } from './lines.ts'
import { numberIn } from './numbers.ts'
import { isOnEarth } from './places.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { mpsPerKmh } from './speedUnits.ts'
import { clockMs } from './timeUnits.ts'
import { unitFactor } from './units.ts'
import { quoted, UnreadValues } from './unread.ts'
import { startLineIn, type VboLine } from './vboLine.ts'

/**
 * Reads a VBO file: sections in brackets in any order, names of columns, and rows; several sessions may follow each
 * other. Latitude and longitude are in minutes, west is positive, or in degrees; time is HHMMSS.ss, velocity km/h if
 * the header names no other unit. Times count from the day in the first line, if it names one, else from 0.
 * `monthFirst` as in `instantIn`. Throws RecordingRefused.
 */
export function vboFixes(text: string, monthFirst: boolean): VboRecording {
  const reader = new Reader(monthFirst)
  eachLine(text, line => reader.add(line))
  return reader.finish()
}

export interface VboRecording {
  readonly fixes: RecordedFix[]
  /** The middle of the start/finish line that the logger stored; null without one. */
  readonly line: Position | null
}

const roles = ['time', 'latitude', 'longitude', 'speed', 'heading', 'accuracy'] as const

/** Indexes of columns; -1 if the file has none. */
type Columns = Readonly<Record<(typeof roles)[number], number>>

/** The time at which a file was created, in the zone of its logger. */
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
  /** Lines of the header: the names of the columns, in files that list them nowhere else. */
  #header: string[] = []
  #columns: Columns | null = null
  #line: VboLine | null = null
  readonly #unread = new UnreadValues()
  #row = 0
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
      for (const name of line.trim().split(separatorIn(line))) this.#names.push(name)
    else if (this.#section === 'laptiming') this.#line ??= startLineIn(line)
    else if (this.#section === 'comments') this.#created ??= startedIn(line, this.#monthFirst)
    else if (this.#section === 'header' || this.#section === 'channel units') {
      if (this.#section === 'header') this.#header.push(line)
      this.#mpsPerUnit = unitIn(line) ?? this.#mpsPerUnit
    }
  }

  finish(): VboRecording {
    if (!this.#columns)
      throw new RecordingRefused(
        `The VBO file needs the columns time, lat and long; it has ${this.#listed() || 'none'}.`,
      )
    const fixes = this.#fixes
    this.#unread.requireMost(fixes.length)
    // The majority decides, because single values may be damaged.
    const isInDegrees = fixes.filter(isOnEarth).length > fixes.length / 2
    if (!isInDegrees) {
      for (const fix of fixes) {
        fix.latitude /= 60
        fix.longitude /= -60
      }
    }
    const line = this.#line?.nearest(fixes, isInDegrees) ?? null
    return { fixes, line }
  }

  #listed(): string {
    return this.#names.slice(0, 12).map(quoted).join(', ')
  }

  #begin(title: string) {
    this.#section = title
    if (title === 'column names') this.#names = []
    if (title === 'header') this.#header = []
    if (title !== 'data') return
    this.#row = 0
    if (this.#names.length === 0) this.#names = this.#header
    this.#columns = columnsOf(this.#names)
  }

  #startSession(created: Created) {
    this.#created = created
    this.#midnightMs = null
    this.#section = ''
  }

  #addRow(line: string) {
    if (!this.#columns) return
    this.#row += 1
    const { time, latitude: lat, longitude: long, speed, heading, accuracy } = this.#columns
    const cells = line.trim().split(separatorIn(line))
    const timeOfDayMs = clockIn(cells[time])
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
    const unread = (index: number, what: string) =>
      this.#unread.add(cells[index] ?? '', what, {
        row: `row ${this.#row} of the data`,
        column: `the column “${this.#names[index]}”`,
      })
    if (Number.isNaN(timeOfDayMs)) return unread(time, 'a time')
    if (Number.isNaN(latitude)) return unread(lat, 'a latitude')
    if (Number.isNaN(longitude)) return unread(long, 'a longitude')
    this.#midnightMs ??= this.#midnightBefore(timeOfDayMs)
    if (timeOfDayMs + this.#midnightMs < this.#lastMs - dayMs / 2) this.#midnightMs += dayMs
    this.#lastMs = timeOfDayMs + this.#midnightMs
    const velocity = optional(cells[speed])
    this.#fixes.push({
      atMs: this.#lastMs,
      latitude,
      longitude,
      speedMps: velocity === null ? null : velocity * this.#mpsPerUnit,
      headingDeg: optional(cells[heading]),
      // Pitboard's own column, in metres: 0 where it is unknown.
      accuracyM: optional(cells[accuracy]) || null,
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
  const simple = names.map(columnName)
  const index = (role: Role): number => {
    const ranks = simple.map(name => rankOf(role, name))
    const best = leastOf(ranks.filter(rank => rank !== -1))
    return ranks.indexOf(best)
  }
  const columns = Object.fromEntries(roles.map(role => [role, index(role)])) as unknown as Columns
  const { time, latitude, longitude } = columns
  return time === -1 || latitude === -1 || longitude === -1 ? null : columns
}

/** Returns the metres a second in a unit of the velocity, if the line names it. */
function unitIn(line: string): number | null {
  const [, unit] = /^\s*(?:velocity|speed)[\s_(]+(\S.{0,40})/i.exec(line) ?? []
  return unit === undefined ? null : unitFactor('speed', unit)
}

/** Returns when the file was created, in the zone of the logger; null for other lines. */
function createdIn(line: string, monthFirst: boolean): Created | null {
  const [, text] = /^File created on (.{6,60})/i.exec(line) ?? []
  return text === undefined ? null : dayAndTimeIn(text, monthFirst)
}

/** Returns when the recording began, by a comment such as `UTC Date Started : 20/06/2026 13:00`. */
function startedIn(line: string, monthFirst: boolean): Created | null {
  const [, text] = /^[^:]{0,40}\bdate\b[^:]{0,40}:(.{6,60})/i.exec(line) ?? []
  return text === undefined ? null : dayAndTimeIn(text, monthFirst)
}

function dayAndTimeIn(text: string, monthFirst: boolean): Created | null {
  const words = text.replace(/\b(?:at)\b|@/gi, ' ').trim()
  const [date = ''] = words.split(/\s/, 1)
  // The text after the day may be a name.
  const read = timeIn(words, monthFirst) ?? timeIn(date, monthFirst)
  if (!read?.hasDate) return null
  const dayStartMs = Math.floor(read.ms / dayMs) * dayMs
  return { dayStartMs, timeOfDayMs: read.hasTime ? read.ms - dayStartMs : null }
}

/** Reads HHMMSS.ss or HH:MM:SS.ss as milliseconds; NaN for another text, null for none. */
function clockIn(cell: string | undefined): number | null {
  const value = numberIn(cell)
  if (value === null) return null
  if (Number.isNaN(value)) return timeIn(cell ?? '')?.ms ?? Number.NaN
  return value < 0 ? null : clockMs(value)
}

function optional(cell: string | undefined): number | null {
  const value = numberIn(cell)
  return Number.isNaN(value) ? null : value
}
