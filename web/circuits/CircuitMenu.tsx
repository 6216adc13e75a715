import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeftRight, Download, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { TeamCircuit } from '#contract/circuits.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'
import { RenameCircuit } from './RenameCircuit.tsx'

interface Props {
  teamId: string
  circuit: TeamCircuit
  /** False for viewers, who can only export. */
  mayChange: boolean
}

/** Everything that can be done with a circuit but setting its line and pit lane. */
export function CircuitMenu({ teamId, circuit, mayChange }: Props) {
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null)
  const name = circuit.name ?? circuitsText.unnamed
  const reverse = useReverse(teamId, circuit)
  const remove = useDelete(teamId, circuit)
  return (
    <>
      <Menu
        label={circuitsText.actions}
        button={<EllipsisVertical aria-hidden />}
        title={name}
        place="bar"
      >
        {mayChange && (
          <MenuItem icon={<Pencil aria-hidden />} onChoose={() => setAsking('rename')}>
            {circuitsText.rename}
          </MenuItem>
        )}
        <MenuItem
          icon={<Download aria-hidden />}
          onChoose={() => download(teamId, circuit.id, 'geojson')}
        >
          {circuitsText.exportGeoJson}
        </MenuItem>
        <MenuItem
          icon={<Download aria-hidden />}
          onChoose={() => download(teamId, circuit.id, 'gpx')}
        >
          {circuitsText.exportGpx}
        </MenuItem>
        {mayChange && circuit.source === 'imported' && (
          <MenuItem icon={<ArrowLeftRight aria-hidden />} onChoose={() => reverse.mutate()}>
            {circuitsText.reverse}
          </MenuItem>
        )}
        {mayChange && circuit.source !== 'shipped' && (
          <MenuItem icon={<Trash2 aria-hidden />} onChoose={() => setAsking('delete')}>
            {circuitsText.delete}
          </MenuItem>
        )}
      </Menu>
      <RenameCircuit
        teamId={teamId}
        circuit={circuit}
        open={asking === 'rename'}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        title={circuitsText.deleteTitle(name)}
        text={circuitsText.deleteText}
        cancelLabel={circuitsText.keep}
        confirmLabel={circuitsText.delete}
        busy={remove.isPending}
        onCancel={() => setAsking(null)}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setAsking(null) })}
      />
    </>
  )
}

/** Opens the URL of a file, which the browser saves. */
function download(teamId: string, circuitId: string, format: 'geojson' | 'gpx') {
  const link = document.createElement('a')
  link.href = `/api/v1/teams/${teamId}/circuits/${circuitId}/${format}`
  link.download = ''
  link.click()
}

function useReverse(teamId: string, { id: circuitId }: TeamCircuit) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: () => command('circuits.reverse', { teamId, circuitId }),
    onSuccess: circuit => {
      client.setQueryData(circuitQuery(teamId, circuitId).queryKey, circuit)
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
      toasts.success(appText.success, circuitsText.reversed)
    },
    onError: reason => toasts.error(circuitsText.reverseFailed, refusalText(reason)),
  })
}

function useDelete(teamId: string, { id: circuitId, name }: TeamCircuit) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => command('circuits.delete', { teamId, circuitId }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
      toasts.success(appText.success, circuitsText.deleted(name ?? circuitsText.unnamed))
      void navigate(`/teams/${teamId}/circuits`, { replace: true })
    },
    onError: reason => toasts.error(circuitsText.deleteFailed, refusalText(reason)),
  })
}
