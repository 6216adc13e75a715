import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeftRight, Download, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { TeamCircuit } from '#contract/circuits.ts'
import { command } from '#web/api/call.ts'
import { download } from '#web/device/download.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { RenameDialog } from '#web/ui/RenameDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { circuitsQuery } from './circuitQueries.ts'
import { useShowCircuit } from './useShowCircuit.ts'

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
  const ofCircuit = { teamId, circuitId: circuit.id }
  const files = `/api/v1/teams/${teamId}/circuits/${circuit.id}`
  const show = useShowCircuit(teamId)
  const toasts = useToasts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const reverse = useCommand({
    send: () => command('circuits.reverse', ofCircuit),
    failed: circuitsText.reverseFailed,
    onSuccess: reversed => show(reversed, circuitsText.reversed),
  })
  const remove = useCommand({
    send: () => command('circuits.delete', ofCircuit),
    failed: circuitsText.deleteFailed,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
      toasts.success(appText.success, circuitsText.deleted(name))
      void navigate(`/teams/${teamId}/circuits`, { replace: true })
    },
  })
  return (
    <>
      <Menu label={circuitsText.actions} button={<EllipsisVertical aria-hidden />} title={name}>
        {mayChange && (
          <MenuItem icon={<Pencil aria-hidden />} onChoose={() => setAsking('rename')}>
            {circuitsText.rename}
          </MenuItem>
        )}
        <MenuItem icon={<Download aria-hidden />} onChoose={() => download(`${files}/geojson`)}>
          {circuitsText.exportGeoJson}
        </MenuItem>
        <MenuItem icon={<Download aria-hidden />} onChoose={() => download(`${files}/gpx`)}>
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
      {asking === 'rename' && (
        <RenameDialog
          title={circuitsText.rename}
          label={circuitsText.name}
          missing={circuitsText.nameMissing}
          name={circuit.name ?? ''}
          send={input => command('circuits.rename', { ...ofCircuit, ...input })}
          onRenamed={renamed => show(renamed, circuitsText.renamed(renamed.name ?? ''))}
          onClose={() => setAsking(null)}
        />
      )}
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
