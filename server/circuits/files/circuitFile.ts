import { z } from 'zod'
import type { CircuitGate } from '#contract/circuits/circuitRules.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxLatitude, maxLongitude } from '#contract/shared/bounds.ts'
import type { Position } from '#contract/shared/places/geo.ts'
import { type CircuitFile, readGpx } from './gpxFile.ts'

/** Names of gates in files. */
export const gateNames: Readonly<Record<CircuitGate, string>> = {
  line: 'Line',
  'pit-in': 'Pit in',
  'pit-out': 'Pit out',
}

/** Points of an outline, and features of a GeoJSON file. A surveyed outline has fewer. */
const maxPoints = 20_000
const maxFeatures = 1000

/** Reads a circuit from a GeoJSON or GPX file. Refuses every other text with `invalid-input` and the reason. */
export function readCircuitFile(text: string): CircuitFile {
  const clean = text.replace(/^\uFEFF/, '')
  const file = /^\s*</.test(clean) ? readGpx(clean, gateNamed) : readGeoJson(clean)
  if (file.outline.length < 3 || file.outline.length > maxPoints)
    throw new Refusal('invalid-input', { detail: 'circuit-without-line' })
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

const Coordinates = z
  .tuple([
    z.number().min(-maxLongitude).max(maxLongitude),
    z.number().min(-maxLatitude).max(maxLatitude),
  ])
  // A height and further values.
  .rest(z.unknown())
  .transform(([longitude, latitude]): Position => ({ latitude, longitude }))
const Line = z.array(Coordinates).max(maxPoints)

/** The geometries that are read, as lines or a point. */
const Geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: Coordinates }),
  z.object({ type: z.literal('LineString'), coordinates: Line }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(Line).min(1).max(maxFeatures) }),
])
const Feature = z.object({
  type: z.literal('Feature'),
  geometry: Geometry,
  properties: z.looseObject({ name: z.unknown() }).nullish(),
})
const Features = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.unknown()).max(maxFeatures),
})

function readGeoJson(text: string): CircuitFile {
  const features = featuresIn(jsonOf(text))
  const gates: Partial<Record<CircuitGate, Position>> = {}
  let outline: Position[] = []
  for (const feature of features) {
    const { geometry, properties } = feature
    if (geometry.type === 'Point') {
      const gate = gateNamed(properties?.name)
      if (gate) gates[gate] ??= geometry.coordinates
    } else if (outline.length === 0) {
      const { coordinates } = geometry
      outline = geometry.type === 'Polygon' ? (coordinates[0] as Position[]) : geometry.coordinates
    }
  }
  return { outline, gates }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('invalid-input', { detail: 'circuit-unreadable' })
  }
}

/** Returns the features of a file that are understood; a bare geometry counts as one. */
function featuresIn(json: unknown): z.output<typeof Feature>[] {
  const collection = Features.safeParse(json)
  const all = collection.success ? collection.data.features : [json]
  return all.flatMap(each => {
    const feature = Feature.safeParse(each)
    if (feature.success) return feature.data
    const geometry = Geometry.safeParse(each)
    return geometry.success ? { type: 'Feature' as const, geometry: geometry.data } : []
  })
}
