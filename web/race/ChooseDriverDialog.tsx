import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { stintTimes } from '#racing/race/carStints.ts'
import { driverQuestion } from '#racing/race/driverQuestion.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { driverChangeText } from '#web/text/driverChange.ts'
import { rosterText } from '#web/text/roster.ts'
import { counterText } from '#web/ui/ages.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './ChooseDriverDialog.module.css'
import { driverChoices } from './driverChoices.ts'
import { driverName, lastWord } from './driverName.ts'
import { type DriverProposal, plannedDriver } from './driverProposal.ts'
import { refuelsNext } from './refuelNext.ts'
import type { CarRace } from './shownCarRace.ts'
import { useChangeDriver } from './useChangeDriver.tsx'

interface Props {
  session: Session
  race: CarRace
  open: boolean
  onClose: () => void
  /** The change of a stop that the car has left, and how to say that there was none. */
  asked?: (DriverProposal & { readonly dismiss: () => void }) | undefined
  /** Opens the fuel entry after a change at a stop; absent on screens that must not be covered. */
  onRefuel?: (() => void) | undefined
}

/** The second tap of a driver change: the choice of the driver, which is sent at once. */
export function ChooseDriverDialog(props: Props) {
  const { session, race, open, onClose, onRefuel, asked } = props
  const change = useChangeDriver(session, { onDone: onClose, onRefuel })
  return (
    <FormDialog
      open={open}
      title={rosterText.whoDrives(session.car?.number ?? null)}
      busy={change.isPending}
      onClose={onClose}
    >
      <Out session={session} race={race} stopAt={asked?.stopAt} />
      <Choices
        session={session}
        race={race}
        busy={change.isPending}
        asked={asked}
        onChoose={choice => change.mutate({ ...choice, from: asked?.from })}
      />
      <p className={typography.sub}>
        {rosterText.changeHint} {onRefuel && refuelsNext(race) && rosterText.refuelNext}
      </p>
      <LinkButton variant="quiet" to={`/teams/${session.teamId}/${session.id}/laps/stints`}>
        {rosterText.correctChanges}
      </LinkButton>
      <DialogChoices>
        {asked && (
          <Button
            variant="quiet"
            disabled={change.isPending}
            onClick={() => {
              asked.dismiss()
              onClose()
            }}
          >
            {driverChangeText.dismiss}
          </Button>
        )}
        <Button variant="quiet" disabled={change.isPending} onClick={onClose}>
          {rosterText.cancel}
        </Button>
      </DialogChoices>
    </FormDialog>
  )
}

interface OutProps extends Pick<Props, 'session' | 'race'> {
  /** When the car came into the pits for this change: the stint ends there. */
  stopAt: number | undefined
}

function Out({ session, race, stopAt }: OutProps) {
  const now = useServerClock()
  const [openedAt] = useState(now)
  const stint = race.stints.at(-1)
  if (!stint) return null
  return (
    <p className={typography.sub}>
      {rosterText.outNow(
        driverName(session),
        counterText(stintTimes(race, stopAt ?? openedAt).get(stint.id) ?? 0),
      )}
    </p>
  )
}

interface ChoicesProps {
  session: Session
  race: CarRace
  busy: boolean
  asked: DriverProposal | undefined
  onChoose: (choice: { stintId: string; driverId: string | null }) => void
}

function Choices({ session, race, busy, asked, onChoose }: ChoicesProps) {
  const serverNow = useServerClock()
  // Pressing the same driver again retries the same command. Another driver is a new command, although the response to
  // the first one may have been lost.
  const [stintIds] = useState(() => new Map<string | null, string>())
  const stintIdOf = (driverId: string | null) => {
    const stintId = stintIds.get(driverId) ?? crypto.randomUUID()
    stintIds.set(driverId, stintId)
    return stintId
  }
  const [openedAt] = useState(serverNow)
  const choices = driverChoices(race, {
    sessionId: session.id,
    planned: asked ? (driverQuestion(race)?.planned ?? null) : plannedDriver(race, openedAt),
    nowMs: openedAt,
  }).filter(({ isDriving }) => !isDriving)
  return (
    <ul className={styles.list}>
      {choices.map(choice => {
        const { id, seat, name, minutes, detail, allowance, isPlanned, isWarning } = choice
        return (
          <li key={seat}>
            <button
              type="button"
              data-planned={isPlanned || undefined}
              disabled={busy}
              onClick={() => onChoose({ stintId: stintIdOf(id), driverId: id })}
            >
              <ThreeLetterPlate name={lastWord(name)} quiet />
              <span>
                <b>{name}</b>
                <small data-warn={isWarning || undefined}>{detail}</small>
              </span>
              <span className={styles.figure}>
                <b>{allowance ? allowance.left : rosterText.minutes(minutes)}</b>
                <small>{allowance ? rosterText.leftOf(allowance.of) : rosterText.driven}</small>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
