import { type ReactNode, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { useDataLink } from './useDataLink.ts'

interface Props {
  session: Pick<Session, 'id' | 'car' | 'dataLink'>
  /** The button that opens the question. */
  children: (onClick: () => void) => ReactNode
}

/** Switches the data link of an active session off or on, which a series may forbid: either must be meant. */
export function SwitchDataLink({ session: { id, car, dataLink }, children }: Props) {
  const change = useDataLink(id)
  const [target, setTarget] = useState<'off' | 'on' | null>(null)
  const close = () => setTarget(null)
  return (
    <>
      {children(() => setTarget(dataLink ? 'off' : 'on'))}
      {target !== null && (
        <ConfirmDialog
          {...dataLinkText.confirm[target]}
          open
          car={car?.number}
          isHeld
          busy={change.isPending}
          onCancel={close}
          onConfirm={() => change.mutate(target === 'on', { onSettled: close })}
        />
      )}
    </>
  )
}

/** The way back, where a data link that is off is noticed. `isShort`: the text beside it names the data link. */
export function SwitchLinkOn({
  session,
  isShort = false,
}: Pick<Props, 'session'> & { isShort?: boolean }) {
  return (
    <SwitchDataLink session={session}>
      {onClick => (
        <button type="button" onClick={onClick}>
          {isShort ? dataLinkText.onShort : dataLinkText.on}
        </button>
      )}
    </SwitchDataLink>
  )
}
