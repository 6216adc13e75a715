import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { rosterText } from '#web/text/roster.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormDialog } from '#web/ui/Dialog.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './ChangeDriver.module.css'
import type { CarRace } from './carRace.ts'
import { driverChoices } from './driverChoices.ts'
import { lastWord } from './driverName.ts'
import { refuelsNext } from './refuelNext.ts'
import { useChangeDriver } from './useChangeDriver.tsx'

interface Props {
  session: Session
  race: CarRace
  open: boolean
  onClose: () => void
  /** Opens the fuel entry after a change at a stop; absent on screens that must not be covered. */
  onRefuel?: (() => void) | undefined
}

/** The second tap of a driver change: the choice of the driver, which is sent at once. */
export function ChangeDriver({ session, race, open, onClose, onRefuel }: Props) {
  const change = useChangeDriver(session, { onDone: onClose, onRefuel })
  return (
    <FormDialog
      open={open}
      title={rosterText.whoDrives(session.car?.number ?? null)}
      busy={change.isPending}
      onClose={onClose}
    >
      <Choices
        session={session}
        race={race}
        busy={change.isPending}
        onChoose={choice => change.mutate(choice)}
      />
      <p className={typography.sub}>
        {rosterText.changeHint} {onRefuel && refuelsNext(race) && rosterText.refuelNext}
      </p>
      <Button variant="quiet" disabled={change.isPending} onClick={onClose}>
        {rosterText.cancel}
      </Button>
    </FormDialog>
  )
}

interface ChoicesProps {
  session: Session
  race: CarRace
  busy: boolean
  onChoose: (choice: { stintId: string; driverId: string | null }) => void
}

function Choices({ session, race, busy, onChoose }: ChoicesProps) {
  const serverNow = useServerClock()
  // A second press of the same choice is the same command; another driver is another one, although the response to the
  // first may have been lost.
  const [stintIds] = useState(() => new Map<string | null, string>())
  const stintIdOf = (driverId: string | null) => {
    const stintId = stintIds.get(driverId) ?? crypto.randomUUID()
    stintIds.set(driverId, stintId)
    return stintId
  }
  const [openedAt] = useState(serverNow)
  const choices = driverChoices(race, { sessionId: session.id, nowMs: openedAt })
  return (
    <ul className={styles.list}>
      {choices.map(({ id, seat, name, isDriving, isOver, minutes, detail }) => (
        <li key={seat}>
          <button
            type="button"
            disabled={busy || isDriving}
            onClick={() => onChoose({ stintId: stintIdOf(id), driverId: id })}
          >
            <ThreeLetterPlate name={lastWord(name)} quiet={!isDriving} />
            <span>
              <b>{name}</b>
              <small data-over={isOver || undefined}>{detail}</small>
            </span>
            <span className={styles.figure}>
              <b>{rosterText.minutes(minutes)}</b>
              <small>{rosterText.driven}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
