import { useState } from 'react'
import type { RosterDriver } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { drivenMs } from '#racing/stints/stintOfLap.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { rosterText } from '#web/text/team/roster.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { wholeNumber } from '#web/ui/forms/wholeNumber.ts'
import { ThreeLetterPlate } from '#web/ui/identity/ThreeLetterPlate.tsx'
import { FormDialog } from '#web/ui/overlays/Dialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './ChangeDriver.module.css'
import { lastWord, personName } from './driverName.ts'
import { useChangeDriver } from './useChangeDriver.tsx'

interface Props {
  session: Session
  race: RaceOfSession
  open: boolean
  onClose: () => void
}

/** The second tap of a driver change: the choice of the driver, which is sent at once. */
export function ChangeDriver({ session, race, open, onClose }: Props) {
  const change = useChangeDriver(session, onClose)
  return (
    <FormDialog open={open} title={rosterText.whoDrives} busy={change.isPending} onClose={onClose}>
      <Choices
        session={session}
        race={race}
        busy={change.isPending}
        onChoose={choice => change.mutate(choice)}
      />
      <p className={typography.sub}>{rosterText.changeHint}</p>
      <Button variant="quiet" disabled={change.isPending} onClick={onClose}>
        {rosterText.cancel}
      </Button>
    </FormDialog>
  )
}

interface ChoicesProps {
  session: Session
  race: RaceOfSession
  busy: boolean
  onChoose: (choice: { stintId: string; driverId: string | null }) => void
}

function Choices({ session, race, busy, onChoose }: ChoicesProps) {
  const serverNow = useServerClock()
  // Made when the dialog opens: a second press of the same choice is the same command.
  const [stintId] = useState(() => crypto.randomUUID())
  const driverOf = ({ driverId }: { driverId: string | null }) => driverId ?? race.starterId
  const last = race.stints.at(-1)
  const current = last ? driverOf(last) : null
  const minutesOf = (driverId: string | null) => {
    const own = race.stints.filter(stint => driverOf(stint) === driverId)
    const now = serverNow()
    return Math.floor(own.reduce((sum, stint) => sum + drivenMs(stint, now), 0) / 60_000)
  }
  const choices = choicesOf(session, race)
  return (
    <ul className={styles.list}>
      {choices.map(({ id, name, detail }) => (
        <li key={id ?? 'owner'}>
          <button
            type="button"
            disabled={busy || id === current}
            onClick={() => onChoose({ stintId, driverId: id })}
          >
            <ThreeLetterPlate name={lastWord(name)} quiet={id !== current} />
            <span>
              <b>{name}</b>
              <small>{id === current ? rosterText.drivesNow : detail}</small>
            </span>
            <span className={styles.figure}>
              <b>{rosterText.minutes(wholeNumber(minutesOf(id)))}</b>
              <small>{rosterText.driven}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface DriverChoice {
  id: string | null
  name: string
  detail: string
}

/** The drivers of the roster, and the person who started the session unless the roster links them. */
function choicesOf({ driver }: Session, { drivers, starterId }: RaceOfSession): DriverChoice[] {
  const listed = drivers
    .filter(({ archived }) => !archived)
    .map(({ id, name }: RosterDriver): DriverChoice => ({ id, name, detail: '' }))
  if (listed.some(({ id }) => id === starterId)) return listed
  return [...listed, { id: null, name: personName(driver), detail: rosterText.phoneHolder }]
}
