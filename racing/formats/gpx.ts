import { SaxesParser } from 'saxes'
import type { Position } from '#contract/shared/places/geo.ts'
import type { RecordedFix } from './clean/recordedFix.ts'
import { instantIn } from './instant.ts'
import { RecordingRefused } from './recordingRefused.ts'

/**
 * Reads the track points of a GPX file (1.0 or 1.1). Speed (m/s), direction and accuracy (m) are read from `speed`,
 * `course` and `accuracy`, also in extensions of any namespace. Times without a zone are in UTC. Points without a time
 * are left out; if no point has one, the file is refused. Numbers may have decimal commas. Throws RecordingRefused.
 */
export function gpxFixes(text: string): RecordedFix[] {
  const fixes: RecordedFix[] = []
  let points = 0
  let positions = 0
  eachPoint(text, point => {
    points += 1
    if (positionOf(point)) positions += 1
    const fix = fixOf(point)
    if (fix) fixes.push(fix)
  })
  if (points > 0 && positions === 0)
    throw new RecordingRefused('The latitudes and longitudes in the GPX file are not numbers.')
  if (positions > 0 && fixes.length === 0)
    throw new RecordingRefused(
      'The points of the GPX file have no times, so laps cannot be timed. Export it with times.',
      {
        lacksTimes: true,
      },
    )
  if (points === 0)
    throw new RecordingRefused(
      'The GPX file has no track, and waypoints and routes have no times. Export the track.',
    )
  return fixes
}

/** Letters passed to the parser at once: it copies the unread rest. */
const portionLetters = 1_000_000

/**
 * Reads the attributes and texts of each track point. A file may end early, because its logger lost power. Throws
 * RecordingRefused.
 */
function eachPoint(text: string, visit: (point: Record<string, string>) => void) {
  const parser = new SaxesParser()
  let point: Record<string, string> | null = null
  let content = ''
  /** Number of open elements in the point. */
  let depth = 0
  let points = 0
  let isAtEnd = false
  parser.on('error', error => {
    // The file was cut off: the points that were read are complete.
    if (isAtEnd && points > 0) return
    throw new RecordingRefused(`The file is not a valid GPX file: ${error.message}.`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    content = ''
    if (localName(name) === 'trkpt') {
      point = { lat: attributes.lat ?? '', lon: attributes.lon ?? '' }
      depth = 0
    } else depth += 1
  })
  const addContent = (part: string) => {
    content += part
  }
  parser.on('text', addContent)
  parser.on('cdata', addContent)
  parser.on('closetag', ({ name }) => {
    const local = localName(name)
    // Tags that are still open at the end of the file do not complete a point.
    if (!point || isAtEnd) return
    if (local !== 'trkpt') {
      // The extensions of a point may have other times.
      if (local !== 'time' || depth === 1) point[local] = content.trim()
      content = ''
      depth -= 1
      return
    }
    points += 1
    visit(point)
    point = null
  })
  for (let from = 0; from < text.length; from += portionLetters)
    parser.write(text.slice(from, from + portionLetters))
  isAtEnd = true
  parser.close()
}

function fixOf(point: Record<string, string>): RecordedFix | null {
  const { time, speed, course, accuracy } = point
  const atMs = instantIn(time ?? '')
  const position = positionOf(point)
  if (Number.isNaN(atMs) || !position) return null
  return {
    atMs,
    ...position,
    speedMps: numberOf(speed),
    headingDeg: numberOf(course),
    accuracyM: numberOf(accuracy) || null,
  }
}

function positionOf({ lat, lon }: Record<string, string>): Position | null {
  const latitude = numberOf(lat)
  const longitude = numberOf(lon)
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function numberOf(text: string | undefined): number | null {
  const value = Number(text?.replace(',', '.') || Number.NaN)
  return Number.isFinite(value) ? value : null
}
