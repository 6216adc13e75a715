import type { Position } from '#contract/shared/places/geo.ts'
import { gpxPositions } from './gpx.ts'
import { RecordingRefused } from './recordingRefused.ts'

/** Maximum number of points of an outline. */
const maxPoints = 20_000

/**
 * Reads a circuit's outline: a GeoJSON LineString or Polygon, in a Feature or collection or alone, or the track of
 * a GPX file. Throws RecordingRefused.
 */
export function outlineIn(text: string): Position[] {
  const outline = /^\s*</.test(text) ? gpxPositions(text) : pointsOf(jsonOf(text))
  if (outline.length < 3) throw new RecordingRefused('The circuit needs at least three points.')
  if (outline.length > maxPoints)
    throw new RecordingRefused(`The circuit has too many points: use at most ${maxPoints}.`)
  return outline
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RecordingRefused(
      'The circuit is neither GeoJSON nor GPX. Use a file in one of these formats.',
    )
  }
}

/** The points of the first line or polygon. A collection or a Feature in another one is not read. */
function pointsOf(json: unknown): Position[] {
  const { type, features } = recordOf(json)
  const first = type === 'FeatureCollection' && Array.isArray(features) ? features[0] : json
  const { type: kind, geometry } = recordOf(first)
  return lineOf(recordOf(kind === 'Feature' ? geometry : first)).map(positionOf)
}

function lineOf({ type, coordinates }: Record<string, unknown>): unknown[] {
  const line = type === 'Polygon' && Array.isArray(coordinates) ? coordinates[0] : coordinates
  if ((type !== 'LineString' && type !== 'Polygon') || !Array.isArray(line))
    throw new RecordingRefused(
      'The circuit has no line. Use a file with a LineString or a Polygon.',
    )
  return line
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function positionOf(pair: unknown): Position {
  const [longitude, latitude]: unknown[] = Array.isArray(pair) ? pair : []
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180))
    throw new RecordingRefused('The circuit has a point that is not on earth.')
  return { latitude, longitude }
}

/** Texts are not numbers, even if they look like some. */
function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}
