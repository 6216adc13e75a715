import type { RacingFix } from '../fix.ts'
import { RecordingRefused } from './recordingRefused.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Reads a VBO file: sections in brackets, names of columns, and rows. Latitude and longitude are in minutes, west
 * is positive; time is HHMMSS.ss, velocity km/h. Times count from the day in the first line, if it names one, else from
 * 0. Throws RecordingRefused.
 */
export function vboFixes(text: string): RacingFix[] {
  const sections = sectionsOf(text)
  const names = sections.get('column names')?.join(' ').trim().toLowerCase().split(/\s+/) ?? []
  const index = (...any: string[]) => names.findIndex(name => any.includes(name))
  const columns = {
    time: index('time'),
    lat: index('lat', 'latitude'),
    long: index('long', 'longitude'),
  }
  const velocity = index('velocity', 'velocity_kmh')
  const heading = index('heading')
  const accuracy = index('accuracy')
  if (Object.values(columns).includes(-1)) {
    throw new RecordingRefused('The VBO file needs the columns time, lat and long.')
  }
  let midnightMs = createdOnMs(text)
  let lastMs = midnightMs
  return (sections.get('data') ?? []).flatMap(line => {
    const cells = line.trim().split(/\s+/).map(Number)
    const value = (column: number) => {
      const cell = cells[column]
      return cell === undefined || Number.isNaN(cell) ? null : cell
    }
    const time = value(columns.time)
    const lat = value(columns.lat)
    const long = value(columns.long)
    if (time === null || lat === null || long === null) return []
    let atMs = timeOfDayMs(time) + midnightMs
    if (atMs < lastMs - dayMs / 2) {
      midnightMs += dayMs
      atMs += dayMs
    }
    lastMs = atMs
    const kmh = value(velocity)
    return {
      atMs,
      latitude: lat / 60,
      longitude: -long / 60,
      speedMps: kmh === null ? null : kmh / 3.6,
      headingDeg: value(heading),
      // Pitboard's own column, in metres: 0 where it is unknown.
      accuracyM: value(accuracy) || null,
    }
  })
}

/** Returns the start of the day (UTC) on which the file was created; 0 if it has no such line. */
function createdOnMs(text: string): number {
  const [, day, month, year] =
    /^File created on (\d{1,2})\/(\d{1,2})\/(\d{4})/i.exec(text.slice(0, 100)) ?? []
  return year ? Date.UTC(Number(year), Number(month) - 1, Number(day)) : 0
}

/** Returns the lines under each title in brackets. */
function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, title] = /^\[(.+)\]\s*$/.exec(line) ?? []
    if (title !== undefined) {
      lines = []
      sections.set(title.toLowerCase(), lines)
    } else if (line.trim() !== '') lines.push(line)
  }
  return sections
}

function timeOfDayMs(hhmmss: number): number {
  const hours = Math.floor(hhmmss / 10_000)
  const minutes = Math.floor(hhmmss / 100) % 100
  return Math.round((hours * 3600 + minutes * 60 + (hhmmss % 100)) * 1000)
}
