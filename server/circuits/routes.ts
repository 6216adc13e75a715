import type { circuits } from '#contract/circuits.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireMember } from '../rights/requireMember.ts'
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
import { sessionCircuit } from './circuitVersion.ts'
import { importCircuit } from './importCircuit.ts'
import { setGate } from './setGate.ts'
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
