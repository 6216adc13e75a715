import { type Kysely, sql } from 'kysely'
import type { SessionId, TeamId } from '#contract/ids.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import { centreOf, distanceM, type Position } from '#contract/shared/geo.ts'
import type { FoundCircuit } from '#racing/circuits/foundCircuit.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import type { LearnedCircuit } from '#racing/circuits/learn.ts'
import type { Tables } from '../db/schema/tables.ts'
import { column } from '../telemetry/storeFixes.ts'
import { type CircuitVersion, givenCircuit } from './circuitVersion.ts'
import { makeRoomForLearned } from './learnedCircuits.ts'
import { type ComparedCircuits, compareCircuits, findSame, isSameCircuit } from './sameCircuit.ts'
import {
  type AddedVersion,
  addCircuit,
  addVersion,
  lockCircuits,
  newestVersionIfAny,
  newestVersions,
  newestVersionsOf,
  storedVersion,
  versionOf,
  versionsOf,
} from './storedCircuits.ts'

/** The version of a circuit on which a session is timed. */
export interface CircuitPin {
  readonly circuitId: string
  readonly version: number
}

/** Columns of a session from which its circuit follows. */
export interface CircuitColumns {
  id: SessionId
  team_id: TeamId
  circuit_id: string | null
  circuit_version: number | null
  positions_deleted_at: Date | null
}

export function pinOf({
  circuit_id,
  circuit_version,
}: Pick<CircuitColumns, 'circuit_id' | 'circuit_version'>): CircuitPin | null {
  return circuit_id === null || circuit_version === null
    ? null
    : { circuitId: circuit_id, version: circuit_version }
}

/** Returns the version on which a session is timed; null while its circuit is not known. */
export async function pinnedVersion(
  db: Kysely<Tables>,
  session: Pick<CircuitColumns, 'team_id' | 'circuit_id' | 'circuit_version'>,
): Promise<CircuitVersion | null> {
  const pin = pinOf(session)
  return pin && versionOf(db, { teamId: session.team_id, ...pin })
}

/** Returns the circuit version on which each session is timed. Sessions without a known circuit are missing. */
export async function pinnedVersions(
  db: Kysely<Tables>,
  sessions: readonly Pick<CircuitColumns, 'id' | 'team_id' | 'circuit_id' | 'circuit_version'>[],
): Promise<Map<SessionId, CircuitVersion>> {
  const pinned = sessions.flatMap(session => {
    const pin = pinOf(session)
    return pin ? [{ sessionId: session.id, teamId: session.team_id, ...pin }] : []
  })
  const versions = await versionsOf(db, pinned)
  return new Map(
    pinned.flatMap(({ sessionId }, index) => {
      const version = versions[index]
      return version ? [[sessionId, version] as const] : []
    }),
  )
}

/** Only this many circuits, within this distance, are searched for the car. */
const searchedWithinM = 30_000
const maxSearched = 5

/** Returns for each session the circuits on which it may be driven, while its own is not known. */
export async function circuitsNear(
  db: Kysely<Tables>,
  started: readonly { session: Pick<CircuitColumns, 'id' | 'team_id'>; place: Position }[],
): Promise<Map<SessionId, GivenCircuit[]>> {
  const known = await newestVersionsOf(
    db,
    started.map(({ session }) => session.team_id),
  )
  return new Map(
    started.map(({ session, place }) => [session.id, near(place, known.get(session.team_id))]),
  )
}

function near(place: Position, circuits: readonly CircuitVersion[] = []): GivenCircuit[] {
  const found = circuits
    .filter(({ version }) => version > 0)
    .map(version => ({ version, farM: distanceM(place, centreOf(version.outline)) }))
    .filter(({ farM }) => farM <= searchedWithinM)
    .sort((one, other) => one.farM - other.farM)
  return found.slice(0, maxSearched).map(({ version }) => givenCircuit(version))
}

/**
 * Fixes a session to the circuit on which its drive was found: the newest version of one of the team's circuits, or a
 * new one that was learned from the drive. Returns false and changes nothing if the session already has another
 * circuit, or if its positions or the circuit were deleted.
 */
export async function settleCircuit(
  db: Kysely<Tables>,
  session: CircuitColumns,
  found: FoundCircuit,
): Promise<boolean> {
  const { id, team_id } = session
  const { learned } = found
  // Before the lock: comparing outlines takes some milliseconds.
  const compared = learned ? await compareCircuits(db, team_id, learned) : new Map()
  return db.transaction().execute(async trx => {
    await lockCircuits(trx, team_id)
    if (!(await isUnchanged(trx, session))) return false
    const circuit = await foundVersion(trx, session, { ...found, compared })
    if (!circuit) return false
    await trx
      .updateTable('sessions')
      .set({ circuit_id: circuit.id, circuit_version: circuit.version })
      .where('id', '=', id)
      .execute()
    return true
  })
}

/** Locks a session. True if its laps are timed, and its circuit and positions have not changed since they were read. */
async function isUnchanged(
  trx: Kysely<Tables>,
  { id, circuit_id, positions_deleted_at }: CircuitColumns,
): Promise<boolean> {
  const row = await trx
    .selectFrom('sessions')
    .select(['circuit_id', 'lap_timing', 'positions_deleted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row?.lap_timing || row.circuit_id !== circuit_id) return false
  return row.positions_deleted_at?.getTime() === positions_deleted_at?.getTime()
}

interface ComparedFound extends FoundCircuit {
  readonly compared: ComparedCircuits
}

async function foundVersion(
  trx: Kysely<Tables>,
  { id, team_id }: CircuitColumns,
  { given, shipped, learned, outline, isLineRecorded, track, gate, compared }: ComparedFound,
): Promise<CircuitVersion | null> {
  const known = await newestVersions(trx, team_id)
  const knownId = given?.id ?? shipped?.id
  if (!learned) {
    const version = known.find(each => each.id === knownId)
    return version ? storedVersion(trx, version) : null
  }
  // Two cars of the team may learn the same circuit at the same time.
  const same = findSame(known, learned, compared)
  if (same) return storedVersion(trx, same)
  await makeRoomForLearned(trx, team_id)
  const { lengthM, direction, laps, errorM } = learned
  return addCircuit(trx, {
    teamId: team_id,
    name: null,
    source: 'learned',
    learnedIn: id,
    outline,
    lengthM: Math.round(lengthM),
    direction,
    laps,
    errorM,
    line: track.plane.toPosition(gate.point),
    lineSource: isLineRecorded ? 'data' : 'closed',
    lineErrorM: null,
    pitIn: null,
    pitOut: null,
  })
}

/**
 * Refines a learned circuit with an outline from more laps; its line and pit lane stay. Returns null if it has already
 * been learned from as many laps, is another circuit, or the session's positions or lap timing have changed.
 */
export function refineCircuit(
  db: Kysely<Tables>,
  session: CircuitColumns,
  learned: LearnedCircuit,
): Promise<AddedVersion | null> {
  const { id, team_id, circuit_id } = session
  return db.transaction().execute(async trx => {
    await lockCircuits(trx, team_id)
    if (!(await isUnchanged(trx, session))) return null
    const newest = await newestVersionIfAny(trx, team_id, circuit_id ?? '')
    if (newest?.source !== 'learned' || (newest.laps ?? 0) >= learned.laps) return null
    // The session that learned the circuit may have closed its first lap at the wrong place.
    if (newest.learnedIn !== id && !isSameCircuit(newest, learned)) return null
    const { outline, lengthM, direction, laps, errorM } = learned
    return addVersion(trx, newest, 'refined', {
      outline,
      lengthM: Math.round(lengthM),
      direction,
      laps,
      errorM,
    })
  })
}

/**
 * Moves a session to the newest version of its circuit, also after its end. Returns null if there is none, or its laps
 * are not timed.
 */
export function moveToNewest(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<{ from: number; to: number } | null> {
  return db.transaction().execute(async trx => {
    const session = await trx
      .selectFrom('sessions')
      .select(['team_id', 'circuit_id', 'circuit_version'])
      .where('id', '=', sessionId)
      .where('lap_timing', '=', true)
      .executeTakeFirst()
    const pin = session && pinOf(session)
    if (!pin) return null
    await lockCircuits(trx, session.team_id)
    const newest = await newestVersionIfAny(trx, session.team_id, pin.circuitId)
    if (!newest) return null
    await trx
      .updateTable('sessions')
      .set({ circuit_version: newest.version })
      .where('id', '=', sessionId)
      .execute()
    return { from: pin.version, to: newest.version }
  })
}

/** Returns the first position of each session after a time, if it has one. */
export async function firstPlacesAfter(
  db: Kysely<Tables>,
  cursors: readonly { sessionId: SessionId; afterMs: number }[],
): Promise<Map<SessionId, Position>> {
  if (cursors.length === 0) return new Map()
  // A constant lets the planner skip the partitions of earlier days.
  const oldest = new Date(leastOf(cursors.map(({ afterMs }) => afterMs)))
  const { rows } = await sql<Position & { id: SessionId }>`
    select s.id, p.latitude, p.longitude
    from unnest(
      ${column(cursors, each => each.sessionId)}::uuid[],
      ${column(cursors, each => each.afterMs)}::bigint[]
    ) as s (id, after_ms)
    cross join lateral (
      select latitude, longitude from positions
      where session_id = s.id and at > to_timestamp(s.after_ms::float8 / 1000)
        and at > ${oldest} and latitude is not null
      order by at
      limit 1
    ) p`.execute(db)
  return new Map(rows.map(({ id, latitude, longitude }) => [id, { latitude, longitude }]))
}
