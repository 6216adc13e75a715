import { phoneLabel } from '#web/race/phoneLabel.ts'
import { usePhoneInCar } from '#web/race/usePhoneInCar.ts'
import { carPhonesText } from '#web/text/carPhones.ts'
import { wallText } from '#web/text/wall.ts'
import styles from './PhoneQuestion.module.css'
import type { CarLane } from './useLanes.ts'

interface Props {
  lane: CarLane
  /** False on a screen that only shows. */
  mayDecide: boolean
}

/** Asks which phone is in the car, in place of the laps: until then they may be those of a phone that is not. */
export function PhoneQuestion({ lane: { addressed, race }, mayDecide }: Props) {
  const decide = usePhoneInCar()
  return (
    <div className={styles.question}>
      <output>
        <b className={styles.which}>{carPhonesText.which}</b> {wallText.goesToAll(addressed.length)}
      </output>
      {mayDecide && race && (
        <div className={styles.phones}>
          {addressed.map(({ id }) => (
            <button
              key={id}
              type="button"
              disabled={decide.isPending}
              onClick={() => decide.mutate(id)}
            >
              {phoneLabel(race.phones, id)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
