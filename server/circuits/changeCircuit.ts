import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { CircuitId } from '#contract/circuits.ts'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireMember, requireStillEditor } from '../rights/requireMember.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'
import { publishAdded, recordCircuitChange } from './circuitChanges.ts'
import type { CircuitVersion, VersionValues } from './circuitVersion.ts'
import { endedSessions } from './endedSessions.ts'
import { publishCircuits } from './publishCircuits.ts'
import { besideLineM } from './setGate.ts'
import {
  addVersion,
  lockCircuits,
  newestVersion,
  storedVersion,
  versionOf,
} from './storedCircuits.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'laps' | 'clock'>

interface OfCircuit {
  teamId: TeamId
  circuitId: CircuitId
}

/**
 * Runs a change of a circuit, for members except viewers or as `require` says. Refuses with `not-a-member`, `view-only` or
 * `not-found`.
 */
async function changed<Result>(
  { db }: Context,
  userId: UserId,
  { teamId, circuitId }: OfCircuit,
  change: (trx: Kysely<Tables>, newest: CircuitVersion) => Promise<Result>,
  require = (trx: Kysely<Tables>) => requireStillEditor(trx, teamId, userId),
): Promise<Result> {
  await requireMember(db, teamId, userId)
  return db.transaction().execute(async trx => {
    await lockCircuits(trx, teamId)
    await require(trx)
    return change(trx, await newestVersion(trx, teamId, circuitId))
  })
}

interface Undone {
  readonly version: number
  readonly sessionId?: SessionId | undefined
}

/**
 * Moves the line to a place of the outline that a member chose on its drawing; nobody knows how exact that is. Refuses
 * with `invalid-input` for a place beside the circuit.
 */
export async function placeLine(
  context: Context,
  userId: UserId,
  { place, ...ofCircuit }: OfCircuit & { place: Position },
): Promise<CircuitVersion> {
  const added = await changed(context, userId, ofCircuit, async (trx, newest) => {
    const track = trackOf(newest.outline)
    const { point, offM } = nearestOnTrack(track, place)
    if (offM > besideLineM) throw new Refusal('invalid-input', { detail: 'place-off-circuit' })
    const line = track.plane.toPosition(point)
    await recordCircuitChange(context, trx, { userId, circuit: newest, kind: 'line-moved' })
    return addVersion(trx, newest, 'line', { line, lineSource: 'tapped', lineErrorM: null })
  })
  return publishAdded(context, added)
}

/** Removes both ends of the pit lane. Refuses with `not-found` if there are none. */
export async function removePitLane(
  context: Context,
  userId: UserId,
  ofCircuit: OfCircuit,
): Promise<CircuitVersion> {
  const added = await changed(context, userId, ofCircuit, async (trx, newest) => {
    if (!newest.pitIn && !newest.pitOut) throw new Refusal('not-found')
    await recordCircuitChange(context, trx, { userId, circuit: newest, kind: 'pit-lane-changed' })
    return addVersion(trx, newest, 'pit-lane', { pitIn: null, pitOut: null })
  })
  return publishAdded(context, added)
}

/**
 * Undoes the change of the line or the pit lane that made a version, for members except viewers and for a driver who
 * is on the circuit. The laps of active sessions are computed again, and those of an ended session and its race, if it is
 * named and was timed by that version. Refuses with `invalid-input` if it was changed again since.
 */
export async function undoChange(
  context: Context,
  userId: UserId,
  { version, sessionId, ...ofCircuit }: OfCircuit & Undone,
): Promise<CircuitVersion> {
  const change = async (trx: Kysely<Tables>, newest: CircuitVersion) => {
    const made = await versionOf(trx, { ...ofCircuit, version })
    const before = await versionOf(trx, { ...ofCircuit, version: version - 1 })
    if (!made || !before) throw new Refusal('not-found')
    const values = gateValues(made)
    if (!values) throw new Refusal('not-found')
    if (!isDeepStrictEqual(gateValues({ ...newest, change: made.change }), values))
      throw new Refusal('invalid-input', { detail: 'circuit-changed' })
    const kind = made.change === 'line' ? 'line-moved' : 'pit-lane-changed'
    await recordCircuitChange(context, trx, { userId, circuit: newest, kind })
    const ended = sessionId ? await endedSessions(trx, sessionId, newest, version) : []
    const undone = gateValues({ ...before, change: made.change }) ?? {}
    return addVersion(trx, newest, 'undone', undone, ended)
  }
  const require = (trx: Kysely<Tables>) => requireEditorOrDriver(trx, userId, ofCircuit)
  return publishAdded(context, await changed(context, userId, ofCircuit, change, require))
}

/** Allows what `setGate` allows: the driver may have become a viewer during the session. */
async function requireEditorOrDriver(
  trx: Kysely<Tables>,
  userId: UserId,
  { teamId, circuitId }: OfCircuit,
) {
  const driven = await trx
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .where('circuit_id', '=', circuitId)
    .where('status', '=', 'Active')
    .executeTakeFirst()
  if (!driven) await requireStillEditor(trx, teamId, userId)
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
  const added = await changed(context, userId, ofCircuit, async (trx, newest) => {
    if (newest.source !== 'imported')
      throw new Refusal('invalid-input', { detail: 'circuit-not-imported' })
    await recordCircuitChange(context, trx, { userId, circuit: newest, kind: 'circuit-reversed' })
    return addVersion(trx, newest, 'reversed', {
      outline: newest.outline.toReversed(),
      direction: newest.direction === 'clockwise' ? 'anticlockwise' : 'clockwise',
      pitIn: newest.pitOut,
      pitOut: newest.pitIn,
    })
  })
  return publishAdded(context, added)
}

export async function renameCircuit(
  context: Context,
  userId: UserId,
  { name, ...ofCircuit }: OfCircuit & { name: string },
): Promise<CircuitVersion> {
  const { circuit, sessions } = await changed(context, userId, ofCircuit, async (trx, newest) => {
    const stored = await storedVersion(trx, newest)
    if (name !== stored.name)
      await recordTeamChange(trx, {
        teamId: stored.teamId,
        kind: 'circuit-renamed',
        actorId: userId,
        at: context.clock.now(),
        ...(stored.name !== null && { before: stored.name }),
        after: name,
      })
    await trx
      .updateTable('circuits')
      .set({ name })
      .where('team_id', '=', stored.teamId)
      .where('id', '=', stored.id)
      .execute()
    const active = await trx
      .selectFrom('sessions')
      .select('id')
      .where('team_id', '=', stored.teamId)
      .where('circuit_id', '=', stored.id)
      .where('status', '=', 'Active')
      .execute()
    return { circuit: { ...stored, name }, sessions: active.map(({ id }) => id) }
  })
  publishCircuits(context.live, circuit.teamId, sessions)
  return circuit
}

/**
 * Deletes a learned or imported circuit. The versions that ended sessions name stay stored, so that their laps can be
 * computed again. Refuses with `invalid-input` for a shipped circuit, and while a session is active on it.
 */
export async function deleteCircuit(context: Context, userId: UserId, ofCircuit: OfCircuit) {
  const { teamId } = ofCircuit
  await changed(context, userId, ofCircuit, async (trx, newest) => {
    const { id, source } = newest
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
    await recordCircuitChange(context, trx, { userId, circuit: newest, kind: 'circuit-deleted' })
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
