import { SaxesParser } from 'saxes'
import { maxLatitude, maxLongitude } from '#contract/shared/bounds.ts'
import type { CircuitGate } from '#contract/shared/circuits/circuitRules.ts'
import type { Position } from '#contract/shared/geo.ts'
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
  const outlines: Record<'trk' | 'rte', Position[]> = { trk: [], rte: [] }
  /** Kinds whose first track or route with points has ended: later ones are ignored. */
  const complete = new Set<'trk' | 'rte'>()
  const gates: Partial<Record<CircuitGate, Position>> = {}
  let waypoint: Position | null = null
  let content = ''
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw new RecordingRefused(`The file is not a valid GPX file: ${error.message}.`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    content = ''
    const tag = localName(name)
    if (tag === 'wpt') waypoint = positionOf(attributes)
    const kind = tag === 'trkpt' ? 'trk' : tag === 'rtept' ? 'rte' : null
    if (!kind || complete.has(kind)) return
    const position = positionOf(attributes)
    if (position) outlines[kind].push(position)
  })
  parser.on('text', part => {
    content += part
  })
  parser.on('closetag', ({ name }) => {
    const tag = localName(name)
    if ((tag === 'trk' || tag === 'rte') && outlines[tag].length > 0) complete.add(tag)
    if (tag === 'name' && waypoint) {
      const gate = gateNamed(content)
      if (gate) gates[gate] ??= waypoint
    }
    if (tag === 'wpt') waypoint = null
    content = ''
  })
  parser.write(text).close()
  return { outline: outlines.trk.length > 0 ? outlines.trk : outlines.rte, gates }
}

function positionOf({ lat, lon }: Record<string, string>): Position | null {
  // An empty attribute is not 0.
  const latitude = Number(lat || Number.NaN)
  const longitude = Number(lon || Number.NaN)
  const isOnEarth = Math.abs(latitude) <= maxLatitude && Math.abs(longitude) <= maxLongitude
  return isOnEarth ? { latitude, longitude } : null
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
