import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { ChooseDriverDialog } from './ChooseDriverDialog.tsx'
import type { CarRace } from './shownCarRace.ts'

interface Props {
  session: Session
  /** Undefined until it has loaded. */
  race: CarRace | undefined
  /** The first tap: a button that opens the choice, disabled until the race has loaded. */
  renderButton: (button: { onClick: () => void; disabled: boolean }) => ReactNode
  /** Opens the fuel entry after a change at a stop. */
  onRefuel?: (() => void) | undefined
  asked?: ComponentProps<typeof ChooseDriverDialog>['asked']
}

/** A driver change by the team in two taps: a button, and the choice that it opens. */
export function DriverChangeButton({ session, race, renderButton, onRefuel, asked }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {renderButton({ disabled: !race, onClick: () => setOpen(true) })}
      {race && (
        <ChooseDriverDialog
          session={session}
          race={race}
          open={isOpen}
          onClose={() => setOpen(false)}
          onRefuel={onRefuel}
          asked={asked}
        />
      )}
    </>
  )
}
