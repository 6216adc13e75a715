import type { Kysely } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'
import type { CircuitVersion } from './circuitVersion.ts'
import { publishCircuits } from './publishCircuits.ts'
import type { AddedVersion } from './storedCircuits.ts'

/** Records a change of a circuit in the history of its team, under its name if it has one. */
export async function recordCircuitChange(
  { clock }: Pick<AppContext, 'clock'>,
  trx: Kysely<Tables>,
  {
    userId,
    circuit: { teamId, name },
    kind,
  }: { userId: UserId; circuit: CircuitVersion; kind: TeamChangeKind },
) {
  const made = { teamId, kind, actorId: userId, at: clock.now() }
  await recordTeamChange(trx, name === null ? made : { ...made, after: name })
}

/** Times the sessions of a new version again, and publishes and returns the version. */
export function publishAdded(
  { live, laps }: Pick<AppContext, 'live' | 'laps'>,
  { circuit, sessions }: AddedVersion,
): CircuitVersion {
  for (const session of sessions) laps.update(session)
  publishCircuits(live, circuit.teamId, sessions)
  return circuit
}
