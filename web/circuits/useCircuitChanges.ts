import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamCircuit } from '#contract/circuits.ts'
import type { Session } from '#contract/sessions.ts'
import type { CircuitGate } from '#contract/shared/circuits/circuitRules.ts'
import type { Position } from '#contract/shared/geo.ts'
import { command } from '#web/api/call.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { grouped } from '#web/ui/grouped.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { circuitQuery } from './circuitQueries.ts'
import { nameOfCar } from './nameOfCar.ts'

/** The end of the pit lane that the next tap sets; null while the line is set. */
export type PitStep = 'pit-in' | 'pit-out' | null

/** A change of the line or the pit lane that can be undone. */
interface Change {
  readonly version: number
  readonly sentence: string
}

interface Options {
  teamId: string
  circuit: TeamCircuit
  /** The session whose car sets the line; null without a car on this circuit. */
  session: Session | null
}

/** Changes the line and the pit lane of a circuit, and undoes the last change. */
export function useCircuitChanges({ teamId, circuit, session }: Options) {
  const now = useServerClock()
  const client = useQueryClient()
  const [pitStep, setPitStep] = useState<PitStep>(null)
  const [change, setChange] = useState<Change | null>(null)
  const [isUndone, setUndone] = useState(false)
  const ofCircuit = { teamId, circuitId: circuit.id }

  function show(changed: TeamCircuit, sentence: string | null, step: PitStep = null) {
    client.setQueryData(circuitQuery(teamId, changed.id).queryKey, changed)
    setChange(sentence === null ? null : { version: changed.version, sentence })
    setUndone(sentence === null)
    setPitStep(step)
  }
  const shared = { failed: circuitsText.gateFailed, topic: 'circuit-gate' }

  const set = useCommand({
    ...shared,
    send: ({ sessionId, gate, at }: { sessionId: string; gate: CircuitGate; at: number }) =>
      command('circuits.setGate', { sessionId, gate, at }),
    onSuccess: ({ circuit: changed, movedM }, { gate }) => {
      const car = session ? nameOfCar(session) : circuitsText.theCar
      const sentence = circuitsText.moved[gate](grouped(movedM ?? 0), car)
      show(changed, sentence, gate === 'pit-in' ? 'pit-out' : null)
    },
  })
  const place = useCommand({
    ...shared,
    send: (at: Position) => command('circuits.placeLine', { ...ofCircuit, place: at }),
    onSuccess: changed => show(changed, circuitsText.placed),
  })
  const removePitLane = useCommand({
    ...shared,
    send: () => command('circuits.removePitLane', ofCircuit),
    onSuccess: changed => show(changed, circuitsText.pitLaneRemoved),
  })
  const undo = useCommand({
    ...shared,
    send: ({ version }: Change) => command('circuits.undo', { ...ofCircuit, version }),
    onSuccess: changed => show(changed, null),
    failed: circuitsText.undoFailed,
  })
  return {
    pitStep,
    setPitStep,
    change,
    isUndone,
    isSetting: set.isPending,
    setGate: (gate: CircuitGate) => {
      if (session) set.mutate({ sessionId: session.id, gate, at: Math.round(now()) })
    },
    place,
    removePitLane,
    undo,
  }
}

export type CircuitChanges = ReturnType<typeof useCircuitChanges>
