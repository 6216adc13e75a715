import { wallText } from '#web/text/wall.ts'
import { useWallKeys, type WallKeys } from './useWallKeys.ts'
import styles from './Wall.module.css'

/** In place of the keys while no car is chosen. The keys that choose one work. */
export function ChooseCar({ onCar, onStep }: Pick<WallKeys, 'onCar' | 'onStep'>) {
  useWallKeys({ onCar, onStep, onLetter: () => false, onHelp: () => undefined })
  return <output className={styles.viewer}>{wallText.chooseCar}</output>
}
