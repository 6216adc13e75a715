import { parse } from 'csv-parse/sync'
import type { RacingFix } from '../fix.ts'
import { RecordingRefused } from './recordingRefused.ts'

/** The columns of a fix; the first name that a file has is used. `per` converts a value to the fix's unit. */
interface Column {
  readonly names: readonly string[]
  readonly per: number
}

const kmh = 1 / 3.6
const mph = 0.44704

/**
 * Reads a CSV file with a header: `time_s`, `t_s` or `utc_s`, `latitude_deg` and `longitude_deg`, and optionally
 * `speed_kmh` or `speed_mps`, `heading_deg` and `accuracy_m`. Beside another time, only the date
 * is read from `utc_s`. Throws RecordingRefused.
 */
export function csvFixes(text: string): RacingFix[] {
  const [header = [], ...rows] = rowsOf(text)
  const names = header.map(name => name.toLowerCase())
  return fixesOf(names, rows, {
    time: [{ names: ['time_s', 't_s', 'utc_s'], per: 1000 }],
    utc: 'utc_s',
    latitude: 'latitude_deg',
    longitude: 'longitude_deg',
    speed: [
      { names: ['speed_mps'], per: 1 },
      { names: ['speed_kmh'], per: kmh },
    ],
    heading: 'heading_deg',
    accuracy: 'accuracy_m',
  })
}

/**
 * Reads a CSV file of RaceChrono: a preamble, then the names, units and sources of the columns. Older versions
 * have the units after the names. Throws RecordingRefused.
 */
export function raceChronoFixes(text: string): RacingFix[] {
  // The parser is slow on rows whose number of columns differs from that of the first one.
  const start = /^.*\btimestamp\b/im.exec(text)?.index
  if (start === undefined) {
    throw new RecordingRefused('The RaceChrono file has no column “timestamp”.')
  }
  const [names = [], ...rows] = rowsOf(text.slice(start))
  const header = names.map(nameIn)
  const speed = header.indexOf('speed')
  const unit = `${names[speed] ?? ''} ${rows[0]?.[speed] ?? ''}`
  return fixesOf(header, rows, {
    time: [{ names: ['timestamp'], per: 1000 }],
    latitude: 'latitude',
    longitude: 'longitude',
    speed: [{ names: ['speed'], per: /mph|mi\/h/.test(unit) ? mph : /k[mp]/.test(unit) ? kmh : 1 }],
    heading: 'bearing',
    accuracy: 'accuracy',
  })
}

/** Returns the name of a column without its unit, such as “Speed (m/s)”. */
function nameIn(cell: string): string {
  return cell
    .replace(/\(.*\)/, '')
    .trim()
    .toLowerCase()
}

interface Columns {
  readonly time: readonly Column[]
  /** Seconds since the epoch, in addition to another time. */
  readonly utc?: string
  readonly latitude: string
  readonly longitude: string
  readonly speed: readonly Column[]
  readonly heading: string
  readonly accuracy: string
}

/** A file with a longer row is refused. */
const maxRowLetters = 100_000

/** Separators other than the comma. With one of them a comma may be a decimal sign. */
const separators = [';', '\t'] as const

function rowsOf(text: string): string[][] {
  // The header has no decimal numbers, so its separator is certain.
  const header = /^(?:[ \t]*(?:#.*)?\r?\n)*(.*)/.exec(text)?.[1] ?? ''
  const delimiter = separators.find(separator => header.includes(separator)) ?? ','
  try {
    return parse(text, {
      comment: '#',
      comment_no_infix: true,
      delimiter,
      maxRecordSize: maxRowLetters,
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
      trim: true,
      ...(delimiter !== ',' && { onRecord: withDecimalPoints }),
    })
  } catch {
    throw new RecordingRefused('The file is neither VBO, GPX, NMEA nor CSV.')
  }
}

function withDecimalPoints(row: string[]): string[] {
  return row.map(cell => cell.replace(',', '.'))
}

/** Converts rows to fixes. Rows without a time or a position are left out: they belong to other sensors. */
function fixesOf(header: string[], rows: string[][], columns: Columns): RacingFix[] {
  const time = firstOf(header, columns.time)
  const speed = firstOf(header, columns.speed)
  const heading = header.indexOf(columns.heading)
  const accuracy = header.indexOf(columns.accuracy)
  const latitude = header.indexOf(columns.latitude)
  const longitude = header.indexOf(columns.longitude)
  if (!time || latitude === -1 || longitude === -1) {
    const names = [
      columns.time.flatMap(each => each.names).join(' or '),
      columns.latitude,
      columns.longitude,
    ]
    throw new RecordingRefused(`The file needs the columns ${names.join(', ')}.`)
  }
  const dateMs = dateOf(rows, { time, utc: header.indexOf(columns.utc ?? '') })
  return rows.flatMap(row => {
    const at = numberIn(row[time.index])
    const north = numberIn(row[latitude])
    const east = numberIn(row[longitude])
    if (at === null || north === null || east === null) return []
    const mps = speed ? numberIn(row[speed.index]) : null
    return {
      atMs: dateMs + at * time.per,
      latitude: north,
      longitude: east,
      speedMps: mps === null ? null : mps * (speed?.per ?? 1),
      headingDeg: numberIn(row[heading]),
      accuracyM: numberIn(row[accuracy]),
    }
  })
}

/** Returns the milliseconds from the first column of time to `utc`, which has the date; 0 without `utc`. */
function dateOf(
  rows: readonly string[][],
  { time, utc }: { time: { index: number; per: number }; utc: number },
): number {
  for (const row of utc === -1 ? [] : rows) {
    const at = numberIn(row[time.index])
    const utcS = numberIn(row[utc])
    if (at !== null && utcS !== null) return Math.round(utcS * 1000 - at * time.per)
  }
  return 0
}

function firstOf(
  header: string[],
  columns: readonly Column[],
): { index: number; per: number } | null {
  for (const { names, per } of columns) {
    for (const name of names) if (header.includes(name)) return { index: header.indexOf(name), per }
  }
  return null
}

function numberIn(cell: string | undefined): number | null {
  if (cell === undefined || cell === '') return null
  const value = Number(cell)
  return Number.isFinite(value) ? value : null
}
