import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TeamCircuit } from '#contract/circuits.ts'
import { command } from '#web/api/call.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'

interface Props {
  teamId: string
  circuit: TeamCircuit
  open: boolean
  onClose: () => void
}

/** The dialog to rename a circuit, which stays open until the response. */
export function RenameCircuit({ teamId, circuit, open, onClose }: Props) {
  const rename = useRename(teamId, circuit.id, onClose)
  const text = { ...circuitsText, title: circuitsText.rename }
  const { name } = circuit
  return (
    <RenameDialog name={name ?? ''} text={text} rename={rename} open={open} onClose={onClose} />
  )
}

function useRename(teamId: string, circuitId: string, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (input: { name: string }) =>
      command('circuits.rename', { teamId, circuitId, ...input }),
    onSuccess: circuit => {
      client.setQueryData(circuitQuery(teamId, circuitId).queryKey, circuit)
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
      toasts.success(appText.success, circuitsText.renamed(circuit.name ?? ''))
      onDone()
    },
  })
}
