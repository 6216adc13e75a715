import { columnName, type Role, rankOf } from './columns.ts'
import { isHeader } from './csvColumns.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { quoted } from './unread.ts'

/** The header is one of the first lines that are not empty. */
const headerLines = 200

/** A file with a longer row is refused. */
export const maxRowLetters = 100_000

/** Beside another separator a comma may be a decimal sign. */
const separators = [';', '\t', ',', '|'] as const

/** Only this many columns are named in a refusal. */
const namedColumns = 12

/** The index at which the header of a CSV file begins, and the separator of its cells. */
export interface CsvHeader {
  readonly start: number
  readonly delimiter: string
}

/** Finds the line with the names of the columns. Throws RecordingRefused if there is none. */
export function headerIn(text: string): CsvHeader {
  const end = text.includes('\n') ? '\n' : '\r'
  let lines = 0
  let likely: string[] = []
  let comment: CsvHeader | null = null
  let spaced: CsvHeader | null = null
  for (let start = 0, at = 0; lines < headerLines && at !== -1; start = at + 1) {
    at = text.indexOf(end, start)
    const longest = start + maxRowLetters
    const words = text.slice(start, at === -1 ? longest : Math.min(at, longest)).trim()
    if (words === '') continue
    lines += 1
    const { cells, delimiter } = cellsOf(words.replace(/^#+\s*/, ''))
    if (isHeader(cells)) {
      if (!words.startsWith('#')) return { start, delimiter }
      comment ??= { start: text.indexOf('#', start) + 1, delimiter }
    }
    const spacedCells = words.split(/ +/)
    if (knownIn(spacedCells) === needed.length) spaced ??= { start, delimiter: ' ' }
    if (
      likely.length === 0 ||
      knownIn(cells) > knownIn(likely) ||
      (likely.length < 2 && cells.length > 2)
    )
      likely = cells
  }
  const found = comment ?? spaced
  if (found) return found
  throw new RecordingRefused(refusalOf(likely))
}

/**
 * Splits a line by the first separator with which it names a position, or else by the first one that it has. Bars
 * separate cells only where nothing else does: they also separate a name from its unit.
 */
function cellsOf(words: string): { cells: string[]; delimiter: string } {
  const all = separators
    .filter(each => words.includes(each))
    .map(delimiter => ({
      cells: words.split(delimiter).map(cell => cell.replaceAll('"', '').trim()),
      delimiter,
    }))
  return all.find(({ cells }) => isHeader(cells)) ?? all[0] ?? { cells: [words], delimiter: ',' }
}

const needed = ['time', 'latitude', 'longitude'] as const satisfies readonly Role[]

function knownIn(cells: readonly string[]): number {
  const names = cells.map(columnName)
  return needed.filter(role => names.some(name => rankOf(role, name) !== -1)).length
}

function refusalOf(cells: readonly string[]): string {
  const kinds = 'The file is neither VBO, GPX, TCX, KML nor NMEA'
  const needs =
    'as a CSV file it needs the columns time_s or t_s or utc_s, latitude_deg, longitude_deg'
  return `${kinds}, and ${needs}; it has ${namesOf(cells) || 'none'}.`
}

/** Quotes the names of columns. */
export function namesOf(cells: readonly string[]): string {
  const names = cells
    .map(cell => cell.split('|', 1).join().replaceAll('"', '').trim())
    .filter(cell => cell !== '')
  const more = names.length - namedColumns
  const list = names.slice(0, namedColumns).map(quoted).join(', ')
  return more > 0 ? `${list} and ${more} more` : list
}
