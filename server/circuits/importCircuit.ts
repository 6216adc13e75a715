import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxImportedCircuits } from '#contract/shared/circuits/circuitRules.ts'
import type { AppContext } from '../context.ts'
import { readCircuitInProcess } from '../reading/readInProcess.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'
import type { OneAtATime } from '../storage/oneAtATime.ts'
import { type CircuitVersion, measured, type VersionValues } from './circuitVersion.ts'
import { publishCircuits } from './publishCircuits.ts'
import { addCircuit, lockCircuits } from './storedCircuits.ts'

/** Longest wait for other files that are read. */
const longestWaitMs = 20_000

interface ImportContext extends Pick<AppContext, 'db' | 'live' | 'log' | 'clock'> {
  /** Queue of the files that are read on this node. */
  files: OneAtATime
}

/**
 * Adds a circuit from a file to a team, for members except viewers. Refuses with `not-a-member`, `view-only`, `too-many`
 * while other files are read, or `invalid-input` with the reason.
 */
export async function importCircuit(
  context: ImportContext,
  userId: UserId,
  { teamId, name, file }: { teamId: TeamId; name: string; file: string },
): Promise<CircuitVersion> {
  const { db, live } = context
  // Before the file is read.
  await requireEditor(db, teamId, userId)
  const values = await valuesIn(context, file)
  const circuit = await db.transaction().execute(async trx => {
    await lockCircuits(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    const { count } = await trx
      .selectFrom('circuits')
      .select(({ fn }) => fn.countAll<string | number>().as('count'))
      .where('team_id', '=', teamId)
      .where('source', '=', 'imported')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= maxImportedCircuits)
      throw new Refusal('invalid-input', { detail: 'circuits-too-many' })
    return addCircuit(trx, { teamId, name, source: 'imported', learnedIn: null, ...values })
  })
  publishCircuits(live, teamId)
  return circuit
}

async function valuesIn(
  { files, clock, log }: ImportContext,
  file: string,
): Promise<VersionValues> {
  const waiting = new AbortController()
  const busy = new Refusal('too-many', { detail: 'uploads-busy', retryAfterSeconds: 10 })
  const stopWaiting = clock.after(longestWaitMs, () => waiting.abort(busy))
  const read = () => {
    stopWaiting()
    return readCircuitInProcess(file, { log })
  }
  const circuit = await files.run(read, waiting.signal)
  if ('refused' in circuit) throw new Refusal('invalid-input', { detail: circuit.refused })
  return {
    ...circuit,
    ...measured(circuit.outline),
    lineSource: 'data',
    lineErrorM: null,
    laps: null,
    errorM: null,
  }
}
