import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { CircuitId } from '#contract/circuits.ts'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireEditor, requireStillEditor } from '../teams/members.ts'
import type { CircuitVersion, VersionValues } from './circuitVersion.ts'
import { publishCircuits } from './publishCircuits.ts'
import { onAdded } from './setGate.ts'
import {
  type AddedVersion,
  addVersion,
  lockCircuits,
  newestVersion,
  storedVersion,
  versionOf,
} from './storedCircuits.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'laps'>

interface OfCircuit {
  teamId: TeamId
  circuitId: CircuitId
}

/** Runs a change of a circuit, for members except viewers. Refuses with `not-a-member`, `view-only` or `not-found`. */
async function changed<Result>(
  { db }: Context,
  userId: UserId,
  { teamId, circuitId }: OfCircuit,
  change: (trx: Kysely<Tables>, newest: CircuitVersion) => Promise<Result>,
): Promise<Result> {
  await requireEditor(db, teamId, userId)
  return db.transaction().execute(async trx => {
    await lockCircuits(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    return change(trx, await newestVersion(trx, teamId, circuitId))
  })
}

/**
 * Undoes the change of the line or the pit lane that made a version. The laps of active sessions are computed again.
 * Refuses with `invalid-input` if it was changed again since.
 */
export async function undoChange(
  context: Context,
  userId: UserId,
  { version, ...ofCircuit }: OfCircuit & { version: number },
): Promise<CircuitVersion> {
  const added = await changed(context, userId, ofCircuit, async (trx, newest) => {
    const made = await versionOf(trx, { ...ofCircuit, version })
    const before = await versionOf(trx, { ...ofCircuit, version: version - 1 })
    if (!made || !before) throw new Refusal('not-found')
    const values = gateValues(made)
    if (!values) throw new Refusal('not-found')
    if (!isDeepStrictEqual(gateValues({ ...newest, change: made.change }), values))
      throw new Refusal('invalid-input', { detail: 'circuit-changed' })
    return addVersion(trx, newest, 'undone', gateValues({ ...before, change: made.change }) ?? {})
  })
  return publishAdded(context, added)
}

/** Returns the values that a change of this kind replaces; null if it cannot be undone. */
function gateValues(version: CircuitVersion): Partial<VersionValues> | null {
  const { change, line, lineSource, lineErrorM, pitIn, pitOut } = version
  if (change === 'line') return { line, lineSource, lineErrorM }
  return change === 'pit-lane' ? { pitIn, pitOut } : null
}

/** Reverses the driving direction of an imported circuit: a file does not always have the right one. */
export async function reverseCircuit(
  context: Context,
  userId: UserId,
  ofCircuit: OfCircuit,
): Promise<CircuitVersion> {
  const added = await changed(context, userId, ofCircuit, (trx, newest) => {
    if (newest.source !== 'imported')
      throw new Refusal('invalid-input', { detail: 'circuit-not-imported' })
    return addVersion(trx, newest, 'reversed', {
      outline: newest.outline.toReversed(),
      direction: newest.direction === 'clockwise' ? 'anticlockwise' : 'clockwise',
      pitIn: newest.pitOut,
      pitOut: newest.pitIn,
    })
  })
  return publishAdded(context, added)
}

function publishAdded(context: Context, added: AddedVersion): CircuitVersion {
  onAdded(context, added)
  return added.circuit
}

export async function renameCircuit(
  context: Context,
  userId: UserId,
  { name, ...ofCircuit }: OfCircuit & { name: string },
): Promise<CircuitVersion> {
  const circuit = await changed(context, userId, ofCircuit, async (trx, newest) => {
    const stored = await storedVersion(trx, newest)
    await trx
      .updateTable('circuits')
      .set({ name })
      .where('team_id', '=', stored.teamId)
      .where('id', '=', stored.id)
      .execute()
    return { ...stored, name }
  })
  publishCircuits(context.live, circuit.teamId)
  return circuit
}

/**
 * Deletes a learned or imported circuit. The versions that ended sessions name stay stored, so that their laps can be
 * computed again. Refuses with `invalid-input` for a shipped circuit, and while a session is active on it.
 */
export async function deleteCircuit(context: Context, userId: UserId, ofCircuit: OfCircuit) {
  const { teamId } = ofCircuit
  await changed(context, userId, ofCircuit, async (trx, { id, source }) => {
    if (source === 'shipped') throw new Refusal('invalid-input', { detail: 'circuit-shipped' })
    const sessions = await trx
      .selectFrom('sessions')
      .select('status')
      .distinct()
      .where('team_id', '=', teamId)
      .where('circuit_id', '=', id)
      .execute()
    if (sessions.some(({ status }) => status === 'Active'))
      throw new Refusal('invalid-input', { detail: 'circuit-in-use' })
    if (sessions.length > 0)
      await trx
        .updateTable('circuits')
        .set({ deleted_at: new Date() })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute()
    else
      await trx.deleteFrom('circuits').where('team_id', '=', teamId).where('id', '=', id).execute()
  })
  publishCircuits(context.live, teamId)
}
