import type { Selectable } from 'kysely'
import type { CircuitId, SessionCircuit } from '#contract/circuits.ts'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Circuit } from '#contract/shared/circuits/circuit.ts'
import type { CircuitSource, LineSource } from '#contract/shared/circuits/circuitRules.ts'
import { circuitById } from '#contract/shared/circuits/shippedCircuits.ts'
import type { Position } from '#contract/shared/geo.ts'
import { trackOf } from '#contract/shared/track.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import { signedAreaM2 } from '#racing/circuits/outline.ts'
import type { StoredPlace } from '../db/schema/circuits.ts'
import type { Tables } from '../db/schema/tables.ts'

/** One version of a team's circuit. */
export interface CircuitVersion {
  readonly teamId: TeamId
  readonly id: CircuitId
  readonly name: string | null
  readonly source: CircuitSource
  readonly learnedIn: SessionId | null
  /** 0 for a shipped circuit that the team has neither driven nor changed. */
  readonly version: number
  readonly change: Tables['circuit_versions']['change']
  readonly outline: readonly Position[]
  readonly line: Position
  readonly lineSource: LineSource
  readonly lineErrorM: number | null
  readonly pitIn: Position | null
  readonly pitOut: Position | null
  readonly lengthM: number
  readonly direction: 'clockwise' | 'anticlockwise'
  readonly laps: number | null
  readonly errorM: number | null
}

/** The part of a version that a change may replace. */
export type VersionValues = Omit<
  CircuitVersion,
  'teamId' | 'id' | 'name' | 'source' | 'learnedIn' | 'version' | 'change'
>

export type VersionRow = Selectable<Tables['circuit_versions']> &
  Pick<Selectable<Tables['circuits']>, 'name' | 'source' | 'learned_in'>

export function versionFromRow(row: VersionRow): CircuitVersion {
  return {
    teamId: row.team_id,
    id: row.circuit_id,
    name: row.name,
    source: row.source,
    learnedIn: row.learned_in,
    version: row.version,
    change: row.change,
    outline: row.outline.map(position),
    line: position(row.line),
    lineSource: row.line_source,
    lineErrorM: row.line_error_m,
    pitIn: row.pit_in && position(row.pit_in),
    pitOut: row.pit_out && position(row.pit_out),
    lengthM: row.length_m,
    direction: row.direction,
    laps: row.laps,
    errorM: row.error_m,
  }
}

export function columnsOf(values: VersionValues) {
  const json = (place: Position | null) => place && JSON.stringify(pair(place))
  return {
    outline: JSON.stringify(values.outline.map(pair)),
    line: JSON.stringify(pair(values.line)),
    line_source: values.lineSource,
    line_error_m: values.lineErrorM,
    pit_in: json(values.pitIn),
    pit_out: json(values.pitOut),
    length_m: Math.round(values.lengthM),
    direction: values.direction,
    laps: values.laps,
    error_m: values.errorM,
  }
}

export function position([latitude, longitude]: StoredPlace): Position {
  return { latitude, longitude }
}

/** Rounds a place to about a centimetre. */
export function pair({ latitude, longitude }: Position): StoredPlace {
  return [Math.round(latitude * 1e7) / 1e7, Math.round(longitude * 1e7) / 1e7]
}

/** Returns a shipped circuit as a team sees it before it has driven or changed it. */
export function shippedVersion(teamId: TeamId, circuit: Circuit): CircuitVersion {
  const { id, name, outline, startFinish, lengthM, direction } = circuit
  return {
    teamId,
    id,
    name,
    source: 'shipped',
    learnedIn: null,
    version: 0,
    change: 'created',
    outline,
    line: startFinish,
    lineSource: 'data',
    lineErrorM: null,
    pitIn: null,
    pitOut: null,
    lengthM,
    direction,
    laps: null,
    errorM: null,
  }
}

/** Returns the circuit as the lap timer needs it. */
export function givenCircuit({ id, outline, line, pitIn, pitOut }: CircuitVersion): GivenCircuit {
  return { id, outline, line, ...(pitIn && pitOut && { pitLane: { in: pitIn, out: pitOut } }) }
}

/** Returns the circuit as the screens of a session need it. */
export function sessionCircuit(version: CircuitVersion): SessionCircuit {
  const { id, name, outline, line, pitIn, pitOut, lengthM, direction } = version
  return {
    id,
    name,
    version: version.version,
    lengthM,
    direction,
    outline: outline.map(place),
    line: place(line),
    pitLane: pitIn && pitOut && { in: pitIn, out: pitOut },
    attribution: circuitById(id)?.attribution ?? null,
  }
}

function place({ latitude, longitude }: Position): Position {
  return { latitude, longitude }
}

/** Measures the direction and length of an outline. */
export function measured(
  outline: readonly Position[],
): Pick<CircuitVersion, 'direction' | 'lengthM'> {
  const { points, lengthM } = trackOf(outline)
  const isLeft = signedAreaM2(points.slice(0, -1)) > 0
  return { lengthM: Math.round(lengthM), direction: isLeft ? 'anticlockwise' : 'clockwise' }
}
