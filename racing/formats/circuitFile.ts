import { maxLatitude, maxLongitude } from '#contract/shared/bounds.ts'
import type { CircuitGate } from '#contract/shared/circuits/circuitRules.ts'
import type { Position } from '#contract/shared/geo.ts'
import { type CircuitFile, readCircuitGpx } from './circuitGpx.ts'
import { RecordingRefused } from './recordingRefused.ts'

export const gateNames: Readonly<Record<CircuitGate, string>> = {
  line: 'Line',
  'pit-in': 'Pit in',
  'pit-out': 'Pit out',
}

/** Points of an outline, and features of a GeoJSON file. A surveyed outline has fewer. */
const maxPoints = 20_000
const maxFeatures = 1000

/**
 * Reads a circuit from a GeoJSON or GPX file: its first line, and the points with the names of gates. Throws
 * RecordingRefused, with `lacksLine` if the file can be read but has no usable line.
 */
export function readCircuitFile(text: string): CircuitFile {
  const clean = text.replace(/^\uFEFF/, '')
  const file = /^\s*</.test(clean) ? readCircuitGpx(clean, gateNamed) : readGeoJson(clean)
  if (file.outline.length < 3 || file.outline.length > maxPoints)
    throw new RecordingRefused(
      `The circuit has no line. Use a file with a track, a LineString or a Polygon of 3 to ${maxPoints} points.`,
      { lacksLine: true },
    )
  return file
}

/** Returns the gate with this name, in any case. */
function gateNamed(name: unknown): CircuitGate | undefined {
  if (typeof name !== 'string') return undefined
  const wanted = name.trim().toLowerCase()
  return (Object.keys(gateNames) as CircuitGate[]).find(
    gate => gateNames[gate].toLowerCase() === wanted,
  )
}

function readGeoJson(text: string): CircuitFile {
  const gates: Partial<Record<CircuitGate, Position>> = {}
  let outline: readonly Position[] = []
  for (const feature of featuresIn(jsonOf(text))) {
    const { type, geometry, properties } = recordOf(feature)
    const shape = recordOf(type === 'Feature' ? geometry : feature)
    if (shape.type === 'Point') {
      const gate = gateNamed(recordOf(properties).name)
      const place = positionOf(shape.coordinates)
      if (gate && place) gates[gate] ??= place
    } else if (outline.length === 0) outline = lineOf(shape)
  }
  return { outline, gates }
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

/** Returns the features of a file; a bare feature or geometry counts as one. Nested collections are not read. */
function featuresIn(json: unknown): readonly unknown[] {
  const { type, features } = recordOf(json)
  if (type !== 'FeatureCollection' || !Array.isArray(features)) return [json]
  return features.length > maxFeatures ? [] : features
}

/** Returns the points of a line or of the outer ring of a polygon; none if one of them is not on earth. */
function lineOf({ type, coordinates }: Record<string, unknown>): readonly Position[] {
  const line = type === 'Polygon' && Array.isArray(coordinates) ? coordinates[0] : coordinates
  if ((type !== 'LineString' && type !== 'Polygon') || !Array.isArray(line)) return []
  if (line.length > maxPoints) return []
  const places = line.map(positionOf)
  return places.every(place => place !== null) ? places : []
}

/** Texts are not numbers, even if they look like some. A height and further values are ignored. */
function positionOf(pair: unknown): Position | null {
  const [longitude, latitude]: unknown[] = Array.isArray(pair) ? pair : []
  return isWithin(latitude, maxLatitude) && isWithin(longitude, maxLongitude)
    ? { latitude, longitude }
    : null
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

/** Not a copy: an array of half a million numbers would take a second. */
function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
