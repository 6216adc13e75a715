import { useQueryClient } from '@tanstack/react-query'
import type { TeamCircuit } from '#contract/circuits.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'

/** Returns a function that shows a circuit that a command returned, also in the team's list, and confirms the change. */
export function useShowCircuit(teamId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  return (circuit: TeamCircuit, sentence: string) => {
    client.setQueryData(circuitQuery(teamId, circuit.id).queryKey, circuit)
    void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
    toasts.success(appText.success, sentence)
  }
}
