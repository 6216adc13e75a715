import { useChannel } from '#web/live/LiveProvider.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { glassText } from '#web/text/glass.ts'
import { flagReceipt } from '#web/timing/flagReceipt.ts'
import { useGlass } from '#web/timing/useGlass.ts'
import { tookText } from '#web/ui/ages.ts'
import styles from './Lane.module.css'

/** Whether the driver's screen has shown the official flag, and how long after its line. */
export function LaneFlag({ sessionId, race }: { sessionId: string; race: CarRace | undefined }) {
  const { clock } = useChannel()
  const receipt = flagReceipt(useGlass(sessionId, race), clock.now())
  if (!receipt) return null
  const { tookMs, byHand } = receipt
  const flag = byHand ? glassText.flagByHand(receipt.flag) : receipt.flag
  return (
    <small className={styles.flag} data-missing={tookMs === null || undefined}>
      {tookMs === null ? glassText.laneNotShown(flag) : glassText.laneShown(flag, tookText(tookMs))}
    </small>
  )
}
