import { wallText } from '#web/text/wall.ts'
import { useWallKeys, type WallKeys } from './useWallKeys.ts'
import styles from './Wall.module.css'

interface Props extends Pick<WallKeys, 'onDigit' | 'onStep' | 'onIgnored'> {
  /** A key was ignored: nobody knows which car was meant. */
  isIgnored: boolean
}

/** In place of the keys while no car is chosen. The keys that choose one work. */
export function ChooseCar({ isIgnored, ...keys }: Props) {
  useWallKeys({ ...keys, chosen: null, onLetter: () => false, onHelp: () => undefined })
  return (
    <output className={styles.viewer}>
      {isIgnored ? wallText.keyIgnored : wallText.chooseCar}
    </output>
  )
}
