import { SaxesParser } from 'saxes'
import type { Position } from '#contract/shared/places/geo.ts'
import type { RacingFix } from '../fix.ts'
import { RecordingRefused } from './recordingRefused.ts'

/**
 * Reads the track points of a GPX 1.1 file. Speed (m/s), direction and accuracy (m) are read from `speed`, `course` and
 * `accuracy`, also in extensions of any namespace. Points without a time are left out. Throws RecordingRefused.
 */
export function gpxFixes(text: string): RacingFix[] {
  return pointsOf(text).flatMap(point => fixOf(point) ?? [])
}

/** Reads the positions of the track points, also of those without a time. Throws RecordingRefused. */
export function gpxPositions(text: string): Position[] {
  return pointsOf(text).flatMap(point => positionOf(point) ?? [])
}

/** The attributes and texts of each track point. Throws RecordingRefused. */
function pointsOf(text: string): Record<string, string>[] {
  const parser = new SaxesParser()
  const points: Record<string, string>[] = []
  let point: Record<string, string> | null = null
  let content = ''
  parser.on('error', error => {
    throw new RecordingRefused(`The file is no GPX file: ${error.message}.`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    content = ''
    if (localName(name) === 'trkpt')
      point = { lat: attributes.lat ?? '', lon: attributes.lon ?? '' }
  })
  parser.on('text', part => {
    content += part
  })
  parser.on('closetag', ({ name }) => {
    const local = localName(name)
    if (!point) return
    if (local !== 'trkpt') {
      point[local] = content.trim()
      content = ''
      return
    }
    points.push(point)
    point = null
  })
  parser.write(text).close()
  return points
}

function fixOf(point: Record<string, string>): RacingFix | null {
  const { time, speed, course, accuracy } = point
  const atMs = Date.parse(time ?? '')
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
  const value = Number(text || Number.NaN)
  return Number.isFinite(value) ? value : null
}
