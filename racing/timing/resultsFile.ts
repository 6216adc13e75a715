import { parse } from 'csv-parse/browser/esm/sync'
import { dayMs } from '#contract/shared/durations.ts'
import { columnName } from '../formats/columns.ts'
import { timeIn } from '../formats/instant.ts'
import { isMissing } from '../formats/numbers.ts'
import { RecordingRefused } from '../formats/recordingRefused.ts'
import { quoted } from '../formats/unread.ts'

/** Larger files are refused: the passings of 24 hours of a large field have a third of it. */
export const maxResultsBytes = 16 * 2 ** 20
const maxRows = 200_000
const maxRowLetters = 10_000
const maxPassings = 2000

/** The header is one of the first rows: titles may precede it. */
const headerRows = 50
/** Rows below the header that show what a column contains. */
const firstRows = 50

/** Times of one race are not further apart. */
const longestMs = 4 * dayMs

/** Names of columns, in order of preference, as `columnName` returns them. */
const timeNames = words(
  'timeofday tod passingtime crossingtime clocktime daytime uhrzeit tageszeit zeitstempel heuredepassage heure tijdstip hora ora orario klockslag timestamp datetime datumzeit localtime time zeit tijd',
)
const carNames = words(
  '# no nr num number carnumber carno carnr car startnumber startno startnr bibnumber bib racenumber raceno startnummer stnr nummer numero dossard dorsal kart kartno',
)

/** A results file: its first row that names columns, and the rows below it. */
export interface ResultsTable {
  /** Names as the file writes them. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Number of the first of `rows` in the file, from 1. */
  readonly firstRow: number
}

/** Indexes of columns. */
export interface ResultsColumns {
  /** The time of day of each crossing of the line. */
  readonly time: number
  /** The car's number; null: the file is of one car. */
  readonly car: number | null
}

/** Reads a CSV file of results, with commas, semicolons or tabs. Throws RecordingRefused. */
export function resultsTable(text: string): ResultsTable {
  const all = rowsIn(text)
  const head = all.slice(0, headerRows)
  const has = (names: readonly string[]) => (row: readonly string[]) =>
    filled(row) > 1 && row.some(cell => rankOf(names, cell) !== -1)
  const found = [has(timeNames), has(carNames), (row: readonly string[]) => filled(row) > 1]
    .map(isHeader => head.findIndex(isHeader))
    .find(index => index !== -1)
  if (found === undefined)
    throw new RecordingRefused(
      'No row of this file has several columns. Export the results as CSV, with the time of day of each crossing.',
    )
  const rows = all.slice(found + 1)
  if (rows.length === 0)
    throw new RecordingRefused(`The file has no row below its header, row ${found + 1}.`)
  return { columns: all[found] ?? [], rows, firstRow: found + 2 }
}

/** Guesses columns by their names; null for one that is not known. */
export function guessedColumns({ columns, rows }: ResultsTable): {
  time: number | null
  car: number | null
} {
  const first = rows.slice(0, firstRows)
  const hasTimes = (index: number) => first.some(row => timeOfDayIn(row[index] ?? '') !== null)
  return {
    time: bestOf(columns, timeNames, hasTimes),
    car: bestOf(columns, carNames, () => true),
  }
}

/**
 * Returns when a car crossed the line by a results file, in order, in milliseconds by the clock and the zone of the
 * timekeeper: since the epoch if the file has dates, else since some midnight. Throws RecordingRefused.
 */
export function readPassings(
  table: ResultsTable,
  columns: ResultsColumns,
  number: string,
): readonly number[] {
  const cells = cellsOfCar(table, columns, number)
  for (const monthFirst of [false, true]) {
    const times = timesIn(cells, nameOf(table, columns.time), monthFirst)
    const sorted = unwrapped(times).sort((one, other) => one - other)
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)]
    if (last - first <= longestMs) return sorted
  }
  const [start, end] = [cells[0], cells.at(-1)]
  throw new RecordingRefused(
    `The column ${nameOf(table, columns.time)} has times of more than four days, such as ${quoted(start?.value ?? '')} in row ${start?.row} and ${quoted(end?.value ?? '')} in row ${end?.row}. Choose the column with the time of day of each crossing.`,
  )
}

interface Cell {
  readonly value: string
  /** Number of its row in the file, from 1. */
  readonly row: number
}

function cellsOfCar(table: ResultsTable, { time, car }: ResultsColumns, number: string): Cell[] {
  const { rows, firstRow } = table
  const own = rows
    .map((cells, index) => ({ cells, row: firstRow + index }))
    .filter(({ cells }) => car === null || plain(cells[car] ?? '') === plain(number))
  if (car !== null && own.length === 0) {
    const index = rows.findIndex(cells => !isMissing(cells[car]))
    throw new RecordingRefused(
      index === -1
        ? `The column ${nameOf(table, car)} is empty. Choose the column with the car's number.`
        : `No row of the column ${nameOf(table, car)} has ${quoted(number)}; row ${firstRow + index} has ${quoted(rows[index]?.[car] ?? '')}. Choose the column with the car's number.`,
    )
  }
  const cells = own
    .map(({ cells: row, row: at }) => ({ value: row[time] ?? '', row: at }))
    .filter(({ value }) => !isMissing(value))
  if (cells.length === 0)
    throw new RecordingRefused(
      `The column ${nameOf(table, time)} is empty in each row of car ${number}. Choose the column with the time of day of each crossing.`,
    )
  if (cells.length > maxPassings)
    throw new RecordingRefused(
      `The file has more than ${maxPassings} rows of car ${number}. Choose the column with the car's number, or a file of one race.`,
    )
  return cells
}

/** Reads the times of most cells. */
function timesIn(cells: readonly Cell[], column: string, monthFirst: boolean): TimeOfDay[] {
  const times: TimeOfDay[] = []
  const unread: Cell[] = []
  for (const cell of cells) {
    const time = timeOfDayIn(cell.value, monthFirst)
    if (time) times.push(time)
    else unread.push(cell)
  }
  const [first] = unread
  if (first && unread.length > times.length)
    throw new RecordingRefused(
      `${quoted(first.value)} in the column ${column}, row ${first.row}, is not a time of day such as 14:03:22.512.`,
    )
  const [whole] = cells
  if (whole && !times.some(({ hasFraction }) => hasFraction))
    throw new RecordingRefused(
      `${quoted(whole.value)} in the column ${column}, row ${whole.row}, has whole seconds only. Export the times with thousandths.`,
    )
  return times
}

type TimeOfDay = NonNullable<ReturnType<typeof timeIn>>

/** Two numbers, such as 1:52.345, are a lap time. */
function timeOfDayIn(text: string, monthFirst = false): TimeOfDay | null {
  const time = /\d:\d{2}:\d{2}/.test(text) ? timeIn(text, monthFirst) : null
  return time?.hasTime ? time : null
}

/** Rows may be in the order of time or against it: a jump of more than half a day passes midnight. */
function unwrapped(times: readonly TimeOfDay[]): number[] {
  let days = 0
  let beforeMs: number | null = null
  return times.map(({ ms, hasDate }) => {
    if (hasDate) return ms
    if (beforeMs !== null && Math.abs(ms - beforeMs) > dayMs / 2) days += ms < beforeMs ? 1 : -1
    beforeMs = ms
    return ms + days * dayMs
  })
}

function rowsIn(text: string): string[][] {
  const options = { delimiter: separatorOf(text), maxRecordSize: maxRowLetters, to: maxRows + 1 }
  let rows: string[][]
  try {
    rows = parse(text, {
      ...options,
      bom: true,
      relaxColumnCount: true,
      relaxQuotes: true,
      trim: true,
    })
  } catch {
    throw new RecordingRefused(
      `This file is not CSV, or one of its rows has more than ${maxRowLetters} characters. Export the results as CSV.`,
    )
  }
  if (rows.length > maxRows)
    throw new RecordingRefused(
      `The file has more than ${maxRows} rows. Export the results of one race, or of one car.`,
    )
  return rows
}

/** Returns the most frequent separator of the first rows. */
function separatorOf(text: string): string {
  const head = text.slice(0, maxRowLetters)
  const count = (separator: string) => head.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

function filled(row: readonly string[]): number {
  return row.filter(cell => cell !== '').length
}

function bestOf(
  columns: readonly string[],
  names: readonly string[],
  fits: (index: number) => boolean,
): number | null {
  let best: { index: number; rank: number } | null = null
  for (const [index, cell] of columns.entries()) {
    const rank = rankOf(names, cell)
    if (rank !== -1 && (!best || rank < best.rank) && fits(index)) best = { index, rank }
  }
  return best && best.index
}

function rankOf(names: readonly string[], cell: string): number {
  return names.indexOf(columnName(cell).full || cell.trim())
}

function nameOf({ columns }: ResultsTable, index: number): string {
  return quoted(columns[index] || `${index + 1}`)
}

function plain(number: string): string {
  return number.trim().replace(/^#\s*/, '').toUpperCase()
}

function words(text: string): readonly string[] {
  return text.split(' ')
}
