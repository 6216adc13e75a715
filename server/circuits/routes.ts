import type { circuits } from '#contract/circuits.ts'
import type { UserId } from '#contract/ids.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
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
import { type CircuitVersion, sessionCircuit } from './circuitVersion.ts'
import { importCircuit } from './importCircuit.ts'
import { setGate } from './setGate.ts'
import {
  circuitOfSession,
  drivenPath,
  listCircuits,
  readCircuit,
  teamCircuit,
  usualLap,
} from './teamCircuits.ts'

export function circuitCalls(context: AppContext): HandlersOf<typeof circuits, Caller> {
  const { db } = context
  const { done, forMembers } = handlersOf(context)
  const files = new OneAtATime()
  const changed =
    <Input>(
      change: (context: AppContext, userId: UserId, input: Input) => Promise<CircuitVersion>,
    ) =>
    async ({ input, caller }: { input: Input; caller: Caller }) =>
      teamCircuit(db, await change(context, caller.userId, input))
  return {
    list: forMembers((_, { teamId }) => listCircuits(db, teamId)),
    get: forMembers((_, { teamId, circuitId }) => readCircuit(db, teamId, circuitId)),

    usualLap: forMembers((_, { teamId, circuitId }) => usualLap(db, teamId, circuitId)),

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

    placeLine: changed(placeLine),
    removePitLane: changed(removePitLane),
    undo: changed(undoChange),
    reverse: changed(reverseCircuit),
    rename: changed(renameCircuit),
    delete: done(deleteCircuit),

    async import({ input, caller }) {
      return teamCircuit(db, await importCircuit({ ...context, files }, caller.userId, input))
    },
  }
}
