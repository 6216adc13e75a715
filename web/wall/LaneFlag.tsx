import { useChannel } from '#web/live/LiveProvider.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { glassText } from '#web/text/glass.ts'
import { flagReceipt } from '#web/timing/flagReceipt.ts'
import { useGlass } from '#web/timing/useGlass.ts'
import { tookText } from '#web/ui/ages.ts'
import styles from './Lane.module.css'

/** Whether the driver's screen has shown the official flag, and how long after its line. */
export function LaneFlag({ sessionId, race }: { sessionId: string; race: CarRace | undefined }) {
  const channel = useChannel()
  const glass = useGlass(sessionId, race)
  const receipt = flagReceipt(glass, channel.session(sessionId), channel.clock.now())
  if (!receipt) return null
  const { tookMs, byHand, isSilent } = receipt
  const flag = byHand ? glassText.flagByHand(receipt.flag) : receipt.flag
  return (
    <small className={styles.flag} data-missing={tookMs === null || undefined}>
      {isSilent
        ? glassText.flagUnknown
        : tookMs === null
          ? glassText.laneNotShown(flag)
          : glassText.laneShown(flag, tookText(tookMs))}
    </small>
  )
}
