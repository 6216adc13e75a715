import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { CircuitId } from '#contract/circuits.ts'
import { TeamId } from '#contract/ids.ts'
import { type CircuitGate, circuitGates } from '#contract/shared/circuits/circuitRules.ts'
import { circuitById } from '#contract/shared/circuits/shippedCircuits.ts'
import type { Position } from '#contract/shared/geo.ts'
import { gateNames } from '#racing/formats/circuitFile.ts'
import { gpxPlace, gpxText } from '#racing/formats/write/gpxText.ts'
import type { AppContext } from '../context.ts'
import { requireLogin } from '../rights/access.ts'
import { requireMember } from '../rights/requireMember.ts'
import type { CircuitVersion } from './circuitVersion.ts'
import { gateOf } from './setGate.ts'
import { newestVersion } from './storedCircuits.ts'

const formats = {
  geojson: { type: 'application/geo+json', write: geoJsonOf },
  gpx: { type: 'application/gpx+xml', write: gpxOf },
}

/** Serves a circuit as a file that `circuits.import` and other programs read. */
export function addCircuitExport(app: FastifyInstance, context: AppContext) {
  app.route<{ Params: { teamId: string; circuitId: string; format: keyof typeof formats } }>({
    method: 'GET',
    url: '/api/v1/teams/:teamId/circuits/:circuitId/:format',
    config: { limit: 'costly' },
    schema: {
      operationId: 'circuits.export',
      tags: ['circuits'],
      summary: 'A circuit of a team as GeoJSON or GPX. Only for its members.',
      security: [{ login: [] }, { device: [] }],
      params: z.object({
        teamId: TeamId,
        circuitId: CircuitId,
        format: z.enum(['geojson', 'gpx']),
      }),
    },
    handler: async (request, reply) => {
      const caller = requireLogin(await context.authenticate(request), {
        auth: 'any-login',
        scopes: ['read'],
      })
      const { teamId, circuitId, format } = request.params
      await requireMember(context.db, teamId, caller.userId)
      const circuit = await newestVersion(context.db, teamId, circuitId)
      const { type, write } = formats[format]
      return reply
        .type(`${type}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="circuit.${format}"`)
        .header('cache-control', 'no-store')
        .send(write(circuit))
    },
  })
}

/** Returns the gates that are set, with their names in files. */
function gatesOf(circuit: CircuitVersion): { name: string; place: Position }[] {
  return circuitGates.flatMap((gate: CircuitGate) => {
    const place = gateOf(circuit, gate)
    return place ? { name: gateNames[gate], place } : []
  })
}

/** Closes the outline: its last place repeats the first. */
function closed({ outline }: CircuitVersion): readonly Position[] {
  const [first] = outline
  const last = outline.at(-1)
  const isClosed = first?.latitude === last?.latitude && first?.longitude === last?.longitude
  return isClosed || !first ? outline : [...outline, first]
}

function nameOf({ name, id }: CircuitVersion): { name: string; credit: string | null } {
  return { name: name ?? 'Circuit', credit: circuitById(id)?.attribution ?? null }
}

function geoJsonOf(circuit: CircuitVersion): string {
  const { name, credit } = nameOf(circuit)
  const { lengthM, direction } = circuit
  const pair = ({ latitude, longitude }: Position) => [longitude, latitude]
  return JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { name, lengthM, direction, ...(credit && { attribution: credit }) },
        geometry: { type: 'LineString', coordinates: closed(circuit).map(pair) },
      },
      ...gatesOf(circuit).map(gate => ({
        type: 'Feature',
        properties: { name: gate.name },
        geometry: { type: 'Point', coordinates: pair(gate.place) },
      })),
    ],
  })
}

/** Writes GPX 1.1. Its few elements need no library. */
function gpxOf(circuit: CircuitVersion): string {
  const { name, credit } = nameOf(circuit)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Pitboard" xmlns="http://www.topografix.com/GPX/1/1">',
    `<metadata><name>${gpxText(name)}</name>${credit ? `<desc>${gpxText(credit)}</desc>` : ''}</metadata>`,
    ...gatesOf(circuit).map(
      gate => `<wpt ${gpxPlace(gate.place)}><name>${gpxText(gate.name)}</name></wpt>`,
    ),
    `<trk><name>${gpxText(name)}</name><trkseg>`,
    ...closed(circuit).map(place => `<trkpt ${gpxPlace(place)}/>`),
    '</trkseg></trk></gpx>',
    '',
  ].join('\n')
}
