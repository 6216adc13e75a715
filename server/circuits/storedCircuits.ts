import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { CircuitId } from '#contract/circuits.ts'
import type { SessionId, TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import {
  circuitById,
  circuits as shippedCircuits,
} from '#contract/shared/circuits/shippedCircuits.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import {
  type CircuitVersion,
  columnsOf,
  shippedVersion,
  type VersionValues,
  versionFromRow,
} from './circuitVersion.ts'
import { forgetStops } from './forgetStops.ts'

/** Older versions are deleted, unless a session names them. */
const keptVersions = storedBounds.circuitVersions.max

function versions(db: Kysely<Tables>, ...teamIds: TeamId[]) {
  return db
    .selectFrom('circuit_versions as v')
    .innerJoin('circuits as c', join =>
      join.onRef('c.team_id', '=', 'v.team_id').onRef('c.id', '=', 'v.circuit_id'),
    )
    .selectAll('v')
    .select(['c.name', 'c.source', 'c.learned_in'])
    .where('v.team_id', 'in', teamIds)
}

/** Returns the newest version of each of a team's circuits, including the shipped ones. */
export async function newestVersions(
  db: Kysely<Tables>,
  teamId: TeamId,
): Promise<CircuitVersion[]> {
  return (await newestVersionsOf(db, [teamId])).get(teamId) ?? []
}

/** Returns the newest versions of several teams. */
export async function newestVersionsOf(
  db: Kysely<Tables>,
  teamIds: readonly TeamId[],
): Promise<Map<TeamId, CircuitVersion[]>> {
  const stored = new Map<TeamId, CircuitVersion[]>(teamIds.map(id => [id, []]))
  if (stored.size === 0) return stored
  const rows = await versions(db, ...stored.keys())
    .whereRef('v.version', '=', 'c.newest_version')
    .where('c.deleted_at', 'is', null)
    .execute()
  for (const row of rows) stored.get(row.team_id)?.push(versionFromRow(row))
  return new Map([...stored].map(([teamId, known]) => [teamId, withShipped(teamId, known)]))
}

function withShipped(teamId: TeamId, stored: readonly CircuitVersion[]): CircuitVersion[] {
  const ids = new Set(stored.map(({ id }) => id))
  const shipped = shippedCircuits.filter(({ id }) => !ids.has(id))
  return [...stored, ...shipped.map(each => shippedVersion(teamId, each))]
}

/** Returns the newest version of one of a team's circuits. Refuses with `not-found`. */
export async function newestVersion(
  db: Kysely<Tables>,
  teamId: TeamId,
  circuitId: CircuitId,
): Promise<CircuitVersion> {
  const version = await newestVersionIfAny(db, teamId, circuitId)
  if (!version) throw new Refusal('not-found')
  return version
}

/** Returns the newest version of a team's circuit; null if the team has no such circuit. */
export async function newestVersionIfAny(
  db: Kysely<Tables>,
  teamId: TeamId,
  circuitId: CircuitId,
): Promise<CircuitVersion | null> {
  const row = await versions(db, teamId)
    .where('v.circuit_id', '=', circuitId)
    .whereRef('v.version', '=', 'c.newest_version')
    .where('c.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row) return versionFromRow(row)
  const shipped = circuitById(circuitId)
  return shipped ? shippedVersion(teamId, shipped) : null
}

/** Identifies one version of a circuit. */
interface VersionKey {
  readonly teamId: TeamId
  readonly circuitId: CircuitId
  readonly version: number
}

/** Returns one version of a circuit, also of a deleted one; null if it does not exist. */
export async function versionOf(
  db: Kysely<Tables>,
  key: VersionKey,
): Promise<CircuitVersion | null> {
  return (await versionsOf(db, [key]))[0] ?? null
}

/** Returns versions in the order of their keys, also of deleted circuits; null for one that does not exist. */
export async function versionsOf(
  db: Kysely<Tables>,
  keys: readonly VersionKey[],
): Promise<(CircuitVersion | null)[]> {
  if (keys.length === 0) return []
  const rows = await versions(db, ...keys.map(({ teamId }) => teamId))
    .where(eb =>
      eb(
        eb.refTuple('v.team_id', 'v.circuit_id', 'v.version'),
        'in',
        keys.map(each => eb.tuple(each.teamId, each.circuitId, each.version)),
      ),
    )
    .execute()
  const found = new Map(
    rows.map(row => [`${row.team_id} ${row.circuit_id} ${row.version}`, versionFromRow(row)]),
  )
  return keys.map(
    ({ teamId, circuitId, version }) => found.get(`${teamId} ${circuitId} ${version}`) ?? null,
  )
}

/**
 * Locks a team's circuits until the end of the transaction, so that their changes run one at a time. Call it before any
 * other lock is taken.
 */
export async function lockCircuits(trx: Kysely<Tables>, teamId: TeamId) {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forNoKeyUpdate().execute()
}

export type NewCircuit = Pick<CircuitVersion, 'teamId' | 'name' | 'source' | 'learnedIn'> &
  VersionValues & { id?: CircuitId }

/** Stores a new circuit in its first version. Requires `lockCircuits`. */
export async function addCircuit(
  trx: Kysely<Tables>,
  circuit: NewCircuit,
): Promise<CircuitVersion> {
  const { teamId, id = randomUUID(), name, source, learnedIn } = circuit
  await trx
    .insertInto('circuits')
    .values({ team_id: teamId, id, name, source, learned_in: learnedIn, newest_version: 1 })
    .execute()
  return insertVersion(trx, { ...circuit, id, version: 1, change: 'created' })
}

/** Stores a shipped circuit that the team drives or changes for the first time. Requires `lockCircuits`. */
export function storedVersion(
  trx: Kysely<Tables>,
  version: CircuitVersion,
): Promise<CircuitVersion> | CircuitVersion {
  return version.version === 0 ? addCircuit(trx, version) : version
}

/** A version that was added, and the sessions that it times from now on. */
export interface AddedVersion {
  readonly circuit: CircuitVersion
  readonly sessions: readonly SessionId[]
}

/**
 * Adds a version after the newest one, to which the active sessions on this circuit move, and these ended ones. Requires
 * `lockCircuits`, and `newest` to be read after it.
 */
export async function addVersion(
  trx: Kysely<Tables>,
  newest: CircuitVersion,
  change: CircuitVersion['change'],
  values: Partial<VersionValues>,
  ended: readonly SessionId[] = [],
): Promise<AddedVersion> {
  const before = await storedVersion(trx, newest)
  const version = before.version + 1
  const circuit = await insertVersion(trx, { ...before, ...values, change, version })
  await trx
    .updateTable('circuits')
    .set({ newest_version: circuit.version })
    .where('team_id', '=', circuit.teamId)
    .where('id', '=', circuit.id)
    .execute()
  const sessions = await lockSessions(trx, circuit, ended)
  if (sessions.length > 0)
    await trx
      .updateTable('sessions')
      .set({ circuit_version: circuit.version })
      .where('id', 'in', sessions)
      .execute()
  // On another circuit they may be timed.
  if (sessions.length > 0) await forgetStops(trx, sessions)
  await deleteOldVersions(trx, circuit)
  return { circuit, sessions }
}

/**
 * Locks the active sessions on a circuit, and these ended ones, in the order in which fixes are stored: two orders would
 * deadlock.
 */
async function lockSessions(
  trx: Kysely<Tables>,
  { teamId, id }: CircuitVersion,
  ended: readonly SessionId[],
): Promise<SessionId[]> {
  const rows = await trx
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('circuit_id', '=', id)
    .where(({ or, eb }) => or([eb('status', '=', 'Active'), isOneOf('id', ended)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(row => row.id)
}

/** Returns the version as it is stored: rounded. */
async function insertVersion(
  trx: Kysely<Tables>,
  circuit: CircuitVersion,
): Promise<CircuitVersion> {
  const { teamId, id, version, change, name, source, learnedIn } = circuit
  const row = await trx
    .insertInto('circuit_versions')
    .values({ team_id: teamId, circuit_id: id, version, change, ...columnsOf(circuit) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return versionFromRow({ ...row, name, source, learned_in: learnedIn })
}

async function deleteOldVersions(trx: Kysely<Tables>, { teamId, id, version }: CircuitVersion) {
  await sql`
    delete from circuit_versions v
    where v.team_id = ${teamId} and v.circuit_id = ${id} and v.version <= ${version - keptVersions}
      and not exists (
        select from sessions s
        where s.team_id = v.team_id and s.circuit_id = v.circuit_id and s.circuit_version = v.version
      )`.execute(trx)
}
