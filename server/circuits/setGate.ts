import type { Kysely } from 'kysely'
import type { EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { CircuitGate } from '#contract/shared/circuits/circuitRules.ts'
import type { Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, type Track, trackOf } from '#contract/shared/track.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { carAt } from './carAt.ts'
import { publishAdded, recordCircuitChange } from './circuitChanges.ts'
import type { CircuitVersion, VersionValues } from './circuitVersion.ts'
import { endedSessions } from './endedSessions.ts'
import { addVersion, lockCircuits, newestVersion } from './storedCircuits.ts'

/** Largest distances from the outline: the line is on the road, the ends of the pit lane may be beside it. */
export const besideLineM = 60
const besidePitLaneM = 150

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'laps' | 'clock'>

/**
 * Moves the line, or an end of the pit lane, of a session's circuit to where its car was, for its driver and for
 * members except viewers. The laps of all active sessions on the circuit are computed again. Members also move the line
 * of an ended session, for itself and the ended sessions of its race. Refuses with `not-a-member`, `view-only`,
 * `session-ended`, or `invalid-input` with the reason.
 */
export async function setGate(
  context: Context,
  userId: UserId,
  { sessionId, gate, at }: { sessionId: SessionId; gate: CircuitGate; at?: EpochMs | undefined },
): Promise<{ circuit: CircuitVersion; movedM: number | null }> {
  const { db, clock } = context
  const now = clock.now()
  const { teamId } = await requireSessionReader(db, sessionId, userId)
  const { added, movedM } = await db.transaction().execute(async trx => {
    await lockCircuits(trx, teamId)
    const { newest, ended } = await circuitForChange(trx, {
      sessionId,
      teamId,
      userId,
      mayHaveEnded: gate === 'line' && at !== undefined,
    })
    const track = trackOf(newest.outline)
    const car = await carAt(
      { ...context, db: trx },
      { sessionId, atMs: Math.min(at ?? now, now), track },
    )
    if (!car) throw new Refusal('invalid-input', { detail: 'car-unknown' })
    const { point, offM } = nearestOnTrack(track, car.place)
    if (offM > Math.max(gate === 'line' ? besideLineM : besidePitLaneM, 2 * car.errorM))
      throw new Refusal('invalid-input', { detail: 'car-off-circuit' })
    const place = gate === 'line' ? track.plane.toPosition(point) : car.place
    const before = gateOf(newest, gate)
    const kind = gate === 'line' ? 'line-moved' : 'pit-lane-changed'
    await recordCircuitChange(context, trx, { userId, circuit: newest, kind })
    return {
      movedM: before && alongOutlineM(track, before, place),
      added: await addVersion(
        trx,
        newest,
        gate === 'line' ? 'line' : 'pit-lane',
        valuesOf(gate, place, car.errorM),
        ended,
      ),
    }
  })
  return { circuit: publishAdded(context, added), movedM }
}

interface Changed {
  readonly sessionId: SessionId
  readonly teamId: TeamId
  readonly userId: UserId
  readonly mayHaveEnded: boolean
}

async function circuitForChange(
  trx: Kysely<Tables>,
  { sessionId, teamId, userId, mayHaveEnded }: Changed,
): Promise<{ newest: CircuitVersion; ended: SessionId[] }> {
  const { user_id, status, circuit_id } = await trx
    .selectFrom('sessions')
    .select(['user_id', 'status', 'circuit_id'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const hasEnded = status !== 'Active'
  // The driver may have become a viewer during the session.
  if (hasEnded || user_id !== userId) await requireStillEditor(trx, teamId, userId)
  if (hasEnded && !mayHaveEnded) throw new Refusal('session-ended')
  if (circuit_id === null) throw new Refusal('invalid-input', { detail: 'circuit-unknown' })
  const newest = await newestVersion(trx, teamId, circuit_id)
  if (!hasEnded) return { newest, ended: [] }
  const ended = await endedSessions(trx, sessionId, newest)
  if (!ended.includes(sessionId))
    throw new Refusal('invalid-input', { detail: 'positions-expired' })
  return { newest, ended }
}

export function gateOf(
  { line, pitIn, pitOut }: CircuitVersion,
  gate: CircuitGate,
): Position | null {
  return gate === 'line' ? line : gate === 'pit-in' ? pitIn : pitOut
}

function valuesOf(gate: CircuitGate, place: Position, errorM: number): Partial<VersionValues> {
  if (gate === 'line') return { line: place, lineSource: 'tapped', lineErrorM: errorM }
  return gate === 'pit-in' ? { pitIn: place } : { pitOut: place }
}

/** Returns the shorter distance along the outline between two places. */
function alongOutlineM(track: Track, from: Position, to: Position): number {
  const wayM = Math.abs(nearestOnTrack(track, to).alongM - nearestOnTrack(track, from).alongM)
  return Math.round(Math.min(wayM, track.lengthM - wayM))
}
