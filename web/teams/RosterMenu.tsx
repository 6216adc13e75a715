import { ArrowDown, ArrowUp, EllipsisVertical, Pencil, Trash } from 'lucide-react'
import { rosterText } from '#web/text/roster.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { useSortRoster } from './useSaveRoster.ts'

interface Props {
  teamId: string
  what: 'cars' | 'drivers'
  /** Ids of the whole list, in its order. */
  ids: readonly string[]
  id: string
  name: string
  onEdit: () => void
  onRemove: () => void
}

/** The menu of a car or driver: edit, move, remove after a confirmation. */
export function RosterMenu({ teamId, what, ids, id, name, onEdit, onRemove }: Props) {
  const sort = useSortRoster(teamId, what)
  const removal = useConfirmation(onRemove)
  const index = ids.indexOf(id)
  const move = (by: -1 | 1) => {
    const others = ids.filter(other => other !== id)
    sort([...others.slice(0, index + by), id, ...others.slice(index + by)])
  }
  return (
    <>
      <Menu
        place="row"
        label={rosterText.actions(name)}
        button={<EllipsisVertical aria-hidden />}
        title={name}
      >
        <MenuItem icon={<Pencil aria-hidden />} onChoose={onEdit}>
          {rosterText.edit}
        </MenuItem>
        {index > 0 && (
          <MenuItem icon={<ArrowUp aria-hidden />} onChoose={() => move(-1)}>
            {rosterText.up}
          </MenuItem>
        )}
        {index < ids.length - 1 && (
          <MenuItem icon={<ArrowDown aria-hidden />} onChoose={() => move(1)}>
            {rosterText.down}
          </MenuItem>
        )}
        <MenuItem icon={<Trash aria-hidden />} onChoose={removal.ask}>
          {rosterText.remove}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        {...removal.dialog}
        title={rosterText.removeTitle(name)}
        text={rosterText.removeText[what]}
        cancelLabel={rosterText.keep}
        confirmLabel={rosterText.remove}
      />
    </>
  )
}
