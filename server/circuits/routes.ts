import type { circuits } from '#contract/circuits.ts'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxImportedCircuits } from '#contract/shared/circuits/circuitRules.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { readCircuitInProcess } from '../reading/readInProcess.ts'
import { requireEditor, requireMember, requireStillEditor } from '../rights/requireMember.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { OneAtATime } from '../storage/oneAtATime.ts'
import {
  deleteCircuit,
  placeLine,
  removePitLane,
  renameCircuit,
  reverseCircuit,
  undoChange,
} from './changeCircuit.ts'
import {
  type CircuitVersion,
  measured,
  sessionCircuit,
  type VersionValues,
} from './circuitVersion.ts'
import { publishCircuits } from './publishCircuits.ts'
import { setGate } from './setGate.ts'
import { addCircuit, lockCircuits } from './storedCircuits.ts'
import {
  circuitOfSession,
  drivenPath,
  listCircuits,
  readCircuit,
  teamCircuit,
} from './teamCircuits.ts'

export function circuitCalls(context: AppContext): HandlersOf<typeof circuits, Caller> {
  const { db } = context
  const files = new OneAtATime()
  return {
    async list({ input: { teamId }, caller }) {
      await requireMember(db, teamId, caller.userId)
      return listCircuits(db, teamId)
    },

    async get({ input: { teamId, circuitId }, caller }) {
      await requireMember(db, teamId, caller.userId)
      return readCircuit(db, teamId, circuitId)
    },

    async ofSession({ input: { sessionId }, caller }) {
      await requireSessionReader(db, sessionId, caller.userId)
      const version = await circuitOfSession(db, sessionId)
      return version && sessionCircuit(version)
    },

    async driven({ input: { sessionId }, caller }) {
      await requireSessionReader(db, sessionId, caller.userId)
      return drivenPath(db, sessionId)
    },

    async setGate({ input, caller }) {
      const { circuit, movedM } = await setGate(context, caller.userId, input)
      return { circuit: await teamCircuit(db, circuit), movedM }
    },

    async placeLine({ input, caller }) {
      return teamCircuit(db, await placeLine(context, caller.userId, input))
    },

    async removePitLane({ input, caller }) {
      return teamCircuit(db, await removePitLane(context, caller.userId, input))
    },

    async undo({ input, caller }) {
      return teamCircuit(db, await undoChange(context, caller.userId, input))
    },

    async reverse({ input, caller }) {
      return teamCircuit(db, await reverseCircuit(context, caller.userId, input))
    },

    async rename({ input, caller }) {
      return teamCircuit(db, await renameCircuit(context, caller.userId, input))
    },

    async delete({ input, caller }) {
      await deleteCircuit(context, caller.userId, input)
      return {}
    },

    async import({ input, caller }) {
      return teamCircuit(db, await importCircuit({ ...context, files }, caller.userId, input))
    },
  }
}

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
async function importCircuit(
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
