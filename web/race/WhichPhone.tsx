import type { StoredCarRace } from '#contract/carRaces.ts'
import { carPhonesText as text } from '#web/text/carPhones.ts'
import { rosterText } from '#web/text/roster.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './ChooseDriverDialog.module.css'
import { lettersOf } from './driverName.ts'
import { phoneLabel } from './phoneLabel.ts'
import { sessionInCar } from './shownCarRace.ts'
import { timeOfDay } from './timeOfDay.ts'
import { usePhoneInCar } from './usePhoneInCar.ts'

interface Props {
  race: Pick<StoredCarRace, 'car' | 'phones' | 'runs'>
  open: boolean
  onClose: () => void
}

/** The choice of the phone that is in the car from this moment. */
export function WhichPhone({ race, open, onClose }: Props) {
  const { phones, runs } = race
  const running = phones.filter(({ endedAt }) => endedAt === null)
  const decide = usePhoneInCar()
  const inCar = sessionInCar(race)
  return (
    <FormDialog
      open={open}
      title={text.which}
      car={race.car?.number}
      busy={decide.isPending}
      onClose={onClose}
    >
      <ul className={styles.list}>
        {running.map(phone => {
          const { sessionId } = phone
          const last = runs.findLast(each => each.sessionId === sessionId)
          return (
            <li key={sessionId}>
              <button
                type="button"
                disabled={decide.isPending || sessionId === inCar}
                onClick={() => decide.mutate(sessionId, { onSuccess: onClose })}
              >
                <ThreeLetterPlate
                  name={lettersOf(phone.person || rosterText.noDriver)}
                  quiet={sessionId !== inCar}
                />
                <span>
                  <b>{phoneLabel(phones, sessionId)}</b>
                  <small>
                    {!last
                      ? text.neverMoved
                      : sessionId === inCar
                        ? text.inCarSince(timeOfDay(last.from))
                        : text.notInCar}
                  </small>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <p className={typography.sub}>{text.hint}</p>
      <DialogChoices>
        <Button variant="quiet" disabled={decide.isPending} onClick={onClose}>
          {text.cancel}
        </Button>
      </DialogChoices>
    </FormDialog>
  )
}
