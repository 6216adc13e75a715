import { useEffect, useLayoutEffect, useMemo } from 'react'
import { ShownFlags } from '#client/driver/shownFlags.ts'
import { afterPaint } from '#web/device/painted.ts'
import { textStore } from '#web/device/textStore.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'
import { driveText } from '#web/text/drive.ts'
import { glassText } from '#web/text/glass.ts'
import { timingText } from '#web/text/timing.ts'
import { FlagBand } from '#web/timing/OfficialFlag.tsx'
import { useGlass } from '#web/timing/useGlass.ts'
import { ageText } from '#web/ui/ages.ts'
import styles from './GlassFlag.module.css'
import { useConnectivity } from './useConnectivity.ts'

/**
 * The official flag above the driver's screen, if the team shows it. Nothing is beneath it: a message keeps its size.
 * Each flag that was painted is reported once.
 */
export function GlassFlag({ sessionId, isLow }: { sessionId: string; isLow: boolean }) {
  const channel = useChannel()
  const { clock } = channel
  const { data: race } = useStoredCarRace(sessionId)
  const { flag } = useGlass(sessionId, race)
  const isOnline = useConnectivity()
  const shown = useMemo(
    () => new ShownFlags({ channel, sessionId, store: textStore }),
    [channel, sessionId],
  )
  useEffect(() => shown.start(), [shown])
  const { feed, change } = flag ?? {}
  const hasWord = flag != null && flag.flag !== null
  useLayoutEffect(() => {
    if (hasWord && feed !== undefined && change !== undefined)
      return afterPaint(() => shown.painted({ feed, change }))
  }, [shown, hasWord, feed, change])
  if (flag === undefined) return null
  const enteredAt = flag?.byHand === undefined ? undefined : (flag.enteredAt ?? flag.since)
  const unknown = isOnline ? undefined : driveText.offline
  return (
    <output
      className={styles.band}
      aria-label={glassText.parts.flag}
      data-low={isLow || undefined}
      data-glass-flag=""
    >
      <FlagBand
        flag={flag?.flag ?? null}
        isFlagCurrent={flag !== null}
        size="glass"
        byHand={enteredAt !== undefined}
        note={
          enteredAt === undefined
            ? unknown
            : timingText.byHandShort(ageText(clock.now() - enteredAt))
        }
      />
    </output>
  )
}
