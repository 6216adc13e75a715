import { letterOf, plates } from '#web/message/letters.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import styles from './SendKeys.module.css'
import { useWallKeys, type WallKeys } from './useWallKeys.ts'

/** The keys after the session of the chosen car: grey, in their places. Those that choose one work. */
export function ChooseCar(keys: Pick<WallKeys, 'onDigit' | 'onStep' | 'onIgnored'>) {
  useWallKeys({ ...keys, chosen: null, one: null, onLetter: () => false, onHelp: () => undefined })
  return (
    <footer className={styles.keys}>
      <div className={styles.to}>
        <p>
          <span>{wallText.sendTo}</span>
          <b>{wallText.noTime}</b>
        </p>
      </div>
      <fieldset className={styles.plates} disabled aria-label={wallText.sendTo}>
        {plates.map(type => (
          <button key={type ?? 'clear'} type="button" className={styles.plate}>
            <kbd aria-hidden>{letterOf(type)}</kbd>
            {messageText.plate(type)}
          </button>
        ))}
      </fieldset>
      <output className={styles.ended}>{wallText.chooseCar}</output>
    </footer>
  )
}
