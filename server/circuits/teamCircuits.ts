import { type Kysely, sql } from 'kysely'
import type { CircuitId, ListedCircuit, TeamCircuit } from '#contract/circuits.ts'
import type { EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import { distanceM, nearTrackM, type Position } from '#contract/shared/geo.ts'
import { maxStopMs, minLapMs } from '#contract/shared/raceRules.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import type { Tables } from '../db/schema/tables.ts'
import { firstPossibleMs } from '../telemetry/positions.ts'
import { type CircuitVersion, sessionCircuit } from './circuitVersion.ts'
import { isCompared } from './comparedLaps.ts'
import { pinnedVersion } from './settleCircuit.ts'
import { newestVersion, newestVersions } from './storedCircuits.ts'

/** Lists a team's circuits, the nearest to its newest car first; without a car by name. */
export async function listCircuits(db: Kysely<Tables>, teamId: TeamId): Promise<ListedCircuit[]> {
  const car = await newestPlace(db, teamId)
  const versions = await newestVersions(db, teamId)
  const learnedAt = await learnedTimes(db, teamId)
  const listed = versions.map((version): ListedCircuit => {
    const { id, name, source, lengthM, direction, laps } = version
    const at = name === null ? learnedAt.get(id) : undefined
    return {
      id,
      name,
      source,
      lengthM,
      direction,
      laps,
      distanceM: car && distanceTo(version, car),
      shape: shapeOf(version.outline),
      ...(at !== undefined && { learned: { at, near: namedNear(version, versions) } }),
    }
  })
  return listed.sort((one, other) => {
    const byDistance = (one.distanceM ?? 0) - (other.distanceM ?? 0)
    return byDistance || (one.name ?? '').localeCompare(other.name ?? '')
  })
}

/** Returns when each learned circuit without a name was learned. */
async function learnedTimes(
  db: Kysely<Tables>,
  teamId: TeamId,
): Promise<ReadonlyMap<CircuitId, EpochMs>> {
  const rows = await db
    .selectFrom('circuits')
    .select(['id', 'created_at'])
    .where('team_id', '=', teamId)
    .where('source', '=', 'learned')
    .where('name', 'is', null)
    .execute()
  return new Map(rows.map(({ id, created_at }) => [id, created_at.getTime()]))
}

/** Maximum number of points of an outline in a list, which draws it at the size of a plate. */
const shapePlaces = 60

/** Returns a thinned outline in a square of 100, with north at the top. */
function shapeOf(outline: readonly Position[]): ListedCircuit['shape'] {
  const every = Math.ceil(outline.length / shapePlaces)
  const { points: thin } = trackOf(outline.filter((_, index) => index % every === 0))
  const easts = thin.map(({ eastM }) => eastM)
  const norths = thin.map(({ northM }) => northM)
  const [westM, topM] = [leastOf(easts), greatestOf(norths)]
  const [wideM, tallM] = [greatestOf(easts) - westM, topM - leastOf(norths)]
  const scale = 100 / Math.max(wideM, tallM, 1)
  const place = (fromM: number, spanM: number) =>
    Math.round(fromM * scale + (100 - spanM * scale) / 2)
  return thin.map(({ eastM, northM }) => ({
    x: place(eastM - westM, wideM),
    y: place(topM - northM, tallM),
  }))
}

/** Circuits farther away than this are not used to describe the place of another one. */
const nearM = 50_000

/** Returns the name of the nearest circuit that has one; null if none is near. */
function namedNear({ line }: CircuitVersion, versions: readonly CircuitVersion[]): string | null {
  const near = versions
    .map(version => ({ name: version.name, farM: distanceM(line, version.line) }))
    .filter(({ name, farM }) => name !== null && farM < nearM)
    .toSorted((one, other) => one.farM - other.farM)
  return near[0]?.name ?? null
}

/**
 * Returns the distance from a position to a circuit, in whole metres. To a distant circuit it is that to its line:
 * measuring a hundred outlines would block the process for a tenth of a second.
 */
function distanceTo({ line, lengthM, outline }: CircuitVersion, position: Position): number {
  const toLineM = distanceM(line, position)
  const isDistant = toLineM > lengthM / 2 + nearTrackM
  return Math.round(isDistant ? toLineM : nearestOnTrack(trackOf(outline), position).offM)
}

/** Returns the last known position of the car that reported last. */
async function newestPlace(db: Kysely<Tables>, teamId: TeamId): Promise<Position | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('newest_fixes', 'newest_fixes.session_id', 'sessions.id')
    .select(['latitude', 'longitude'])
    .where('team_id', '=', teamId)
    .where('practice', '=', false)
    .where('latitude', 'is not', null)
    .where('longitude', 'is not', null)
    .orderBy('last_driver_contact', order => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
  if (!row || row.latitude === null || row.longitude === null) return null
  return { latitude: row.latitude, longitude: row.longitude }
}

/** Returns the newest version of a circuit. Refuses with `not-found`. */
export async function readCircuit(
  db: Kysely<Tables>,
  teamId: TeamId,
  circuitId: CircuitId,
): Promise<TeamCircuit> {
  return teamCircuit(db, await newestVersion(db, teamId, circuitId))
}

export async function teamCircuit(
  db: Kysely<Tables>,
  version: CircuitVersion,
): Promise<TeamCircuit> {
  const { source, laps, errorM, lineSource, lineErrorM, pitIn, pitOut, change } = version
  return {
    ...sessionCircuit(version),
    source,
    laps,
    errorM,
    lineSource,
    lineErrorM,
    pitIn,
    pitOut,
    plusMinusMs: await usualPlusMinusMs(db, version),
    canUndo: change === 'line' || change === 'pit-lane',
  }
}

/** Number of newest laps from which the usual lap on a circuit, and the error of its lap times, are computed. */
const usualLaps = 200

/** Returns the median of the newest green laps of a team on a circuit; null without one. */
export async function usualLap(
  db: Kysely<Tables>,
  teamId: TeamId,
  circuitId: CircuitId,
): Promise<{ timeMs: number; laps: number; at: EpochMs } | null> {
  const { rows } = await sql<{ timeMs: number | null; laps: number; at: Date }>`
    select percentile_disc(0.5) within group (order by time_ms) as "timeMs",
      count(*)::integer as laps, max(started_at) as at
    from (
      select l.time_ms, l.started_at from laps l join sessions s on s.id = l.session_id
      where s.team_id = ${teamId} and s.circuit_id = ${circuitId} and ${isCompared}
        and l.time_ms between ${minLapMs} and ${maxStopMs}
      order by l.started_at desc limit ${usualLaps}
    ) l`.execute(db)
  const [row] = rows
  return row && row.timeMs !== null ? { ...row, timeMs: row.timeMs, at: row.at.getTime() } : null
}

async function usualPlusMinusMs(
  db: Kysely<Tables>,
  { teamId, id }: CircuitVersion,
): Promise<number | null> {
  const { rows } = await sql<{ middle: number | null }>`
    select percentile_disc(0.5) within group (order by plus_minus_ms) as middle from (
      select l.plus_minus_ms from laps l join sessions s on s.id = l.session_id
      where s.team_id = ${teamId} and s.circuit_id = ${id} and l.kind = 'full' and l.is_seen
      order by l.started_at desc limit ${usualLaps}
    ) l`.execute(db)
  return rows[0]?.middle ?? null
}

/** Returns the version of a circuit on which a session is timed; null while it is not known. */
export async function circuitOfSession(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<CircuitVersion | null> {
  return pinnedVersion(db, await circuitColumns(db, sessionId))
}

function circuitColumns(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('sessions')
    .select(['id', 'team_id', 'circuit_id', 'circuit_version', 'positions_deleted_at'])
    .select('date_started')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
}

/** Least distance between two places of a driven path, and the most places: the newest ones. */
const pathEveryM = 20
const maxPath = 1000

/** The newest positions, from which the path is drawn: as many as a circuit is learned from. */
const maxPositions = 4000

/** Returns the path that a car has driven while its circuit is not known. */
export async function drivenPath(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<{ path: Position[]; wayM: number }> {
  const session = await circuitColumns(db, sessionId)
  if (session.circuit_id !== null) return { path: [], wayM: 0 }
  const { rows } = await sql<Position>`
    select latitude, longitude from positions
    where session_id = ${sessionId} and latitude is not null
      and at > ${new Date(firstPossibleMs(session))}
    order by at desc limit ${maxPositions}`.execute(db)
  const path: Position[] = []
  let wayM = 0
  for (const place of rows.reverse()) {
    const last = path.at(-1)
    const stepM = last ? distanceM(last, place) : pathEveryM
    if (stepM < pathEveryM) continue
    if (last) wayM += stepM
    path.push(place)
  }
  return { path: path.slice(-maxPath), wayM: Math.round(wayM) }
}
