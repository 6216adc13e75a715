import { SaxesParser } from 'saxes'
import type { CircuitGate } from '#contract/circuits/circuitRules.ts'
import { maxLatitude, maxLongitude } from '#contract/shared/bounds.ts'
import type { Position } from '#contract/shared/places/geo.ts'
import { RecordingRefused } from './recordingRefused.ts'

/** The outline and gates in a file, as they are written there. */
export interface CircuitFile {
  readonly outline: readonly Position[]
  readonly gates: Readonly<Partial<Record<CircuitGate, Position>>>
}

/**
 * Reads the outline from the first track, or else the first route, of a GPX file, and gates from its waypoints. Throws
 * RecordingRefused.
 */
export function readCircuitGpx(
  text: string,
  gateNamed: (name: string) => CircuitGate | undefined,
): CircuitFile {
  const lines: Record<'trk' | 'rte', Position[]> = { trk: [], rte: [] }
  const read = new Set<'trk' | 'rte'>()
  const gates: Partial<Record<CircuitGate, Position>> = {}
  let waypoint: Position | null = null
  let content = ''
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw new RecordingRefused(`The file is no GPX file: ${error.message}.`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    content = ''
    const tag = localName(name)
    if (tag === 'wpt') waypoint = positionOf(attributes)
    const line = tag === 'trkpt' ? 'trk' : tag === 'rtept' ? 'rte' : null
    if (!line || read.has(line)) return
    const place = positionOf(attributes)
    if (place) lines[line].push(place)
  })
  parser.on('text', part => {
    content += part
  })
  parser.on('closetag', ({ name }) => {
    const tag = localName(name)
    if ((tag === 'trk' || tag === 'rte') && lines[tag].length > 0) read.add(tag)
    if (tag === 'name' && waypoint) {
      const gate = gateNamed(content)
      if (gate) gates[gate] ??= waypoint
    }
    if (tag === 'wpt') waypoint = null
    content = ''
  })
  parser.write(text).close()
  return { outline: lines.trk.length > 0 ? lines.trk : lines.rte, gates }
}

function positionOf({ lat, lon }: Record<string, string>): Position | null {
  const latitude = Number(lat || Number.NaN)
  const longitude = Number(lon || Number.NaN)
  const isOnEarth = Math.abs(latitude) <= maxLatitude && Math.abs(longitude) <= maxLongitude
  return isOnEarth ? { latitude, longitude } : null
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
