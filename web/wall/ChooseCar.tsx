import { letterOf, plates } from '#web/message/letters.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import styles from './SendKeys.module.css'
import { useWallKeys, type WallKeys } from './useWallKeys.ts'

interface Props extends Pick<WallKeys, 'onDigit' | 'onStep' | 'onIgnored'> {
  /** A key was ignored: it is not known which car was meant. */
  isIgnored: boolean
}

/** The keys while no car is chosen: grey, in their places. Those that choose one work. */
export function ChooseCar({ isIgnored, ...keys }: Props) {
  useWallKeys({ ...keys, chosen: null, onLetter: () => false, onHelp: () => undefined })
  return (
    <footer className={styles.keys}>
      <div className={styles.to}>
        <span>{wallText.sendTo}</span>
        <span className={styles.number}>{wallText.noTime}</span>
      </div>
      <fieldset className={styles.plates} disabled aria-label={wallText.sendTo}>
        {plates.map(type => (
          <button key={type ?? 'clear'} type="button" className={styles.plate}>
            <kbd aria-hidden>{letterOf(type)}</kbd>
            {messageText.plate(type)}
          </button>
        ))}
      </fieldset>
      <output className={styles.ignored}>
        {isIgnored ? wallText.keyIgnored : wallText.chooseCar}
      </output>
    </footer>
  )
}
