import type { StoredCarRace } from '#contract/carRaces.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { glassText } from '#web/text/glass.ts'
import { timingText } from '#web/text/timing.ts'
import { ageText, tookText } from '#web/ui/ages.ts'
import styles from './FlagNote.module.css'
import { flagReceipt } from './flagReceipt.ts'
import { useGlass } from './useGlass.ts'

interface Props {
  sessionId: string
  race: Pick<StoredCarRace, 'glass' | 'officialTiming'> | undefined
  /** The source of the flag, as text. */
  source: string
}

/** The source of the official flag, and when the driver's screen has shown it. */
export function FlagNote({ sessionId, race, source }: Props) {
  const channel = useChannel()
  const glass = useGlass(sessionId, race)
  const receipt = flagReceipt(glass, channel.session(sessionId), channel.clock.now())
  return (
    <span className={styles.note} data-by-hand={source === timingText.source ? undefined : ''}>
      <span>{source}</span>
      {receipt && (
        <output>
          {receipt.isSilent ? (
            glassText.flagUnknown
          ) : receipt.tookMs === null ? (
            glassText.notShown(ageText(receipt.ageMs))
          ) : (
            <>
              {glassText.shown(tookText(receipt.tookMs))}
              {source === timingText.source && <i>{glassText.afterControl}</i>}
            </>
          )}
        </output>
      )}
    </span>
  )
}
