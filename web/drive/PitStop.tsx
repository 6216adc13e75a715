import { type ReactNode, useEffect, useState } from 'react'
import { earlyMs, type StopRule, stopClock, type Visit } from '#racing/race/stopClock.ts'
import styles from '#web/race/StopScreen.module.css'
import { StopFrame, type StopProps, StopScreen } from '#web/race/StopScreen.tsx'
import { shortStop } from '#web/race/shortStop.ts'
import { downTo, stopFigure } from '#web/race/stopFigure.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { pitStopText } from '#web/text/pitStop.ts'

interface Props extends StopProps {
  /** True if no pit-out line is known: the end of a stop is an estimate. */
  isAbout: boolean
  /** False while a message or something else is on the screen. */
  visible: boolean
  /** The screen outside the pits. */
  children: ReactNode
}

/** How long "early" is shown. */
const earlyShownMs = 5000

/** The pit stop on the driver's screen: its clock, and afterwards by how much it was too short. */
export function PitStop({ children, ...props }: Props) {
  const { visits, rule, foot, visible, isAbout } = props
  const last = visits.at(-1) ?? null
  const early = useEarly(last, rule)
  if (last?.endedAt === null) return <RunningStop {...props} />
  if (early === null || !rule || !visible) return children
  const { time, missing } = shortStop(early, rule.minimumMs)
  return (
    <StopFrame
      title={pitStopText.pitOut}
      aside={pitStopText.minimum(downTo(rule.minimumMs))}
      foot={foot}
    >
      <p className={styles.clock}>{time}</p>
      <p className={styles.early} role="alert" data-about={isAbout || undefined}>
        {pitStopText.early(missing, isAbout)}
      </p>
    </StopFrame>
  )
}

/** Returns by how much the visit that has just ended was too short, for some seconds. */
function useEarly(last: Visit | null, rule: StopRule | null): number | null {
  const isOpen = last?.endedAt === null
  const [wasOpen, setWasOpen] = useState(isOpen)
  const [isShown, setIsShown] = useState(false)
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen)
    setIsShown(!isOpen)
  }
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setIsShown(false), earlyShownMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return isShown && last ? earlyMs(last, rule) : null
}

function RunningStop({ visible, ...props }: Omit<Props, 'children' | 'isAbout'>) {
  const nowMs = useServerNow(clockTickMs)
  if (visible) return <StopScreen {...props} nowMs={nowMs} />
  const stop = stopClock(props.visits, props.rule, nowMs)
  return stop && <p className={styles.band}>{pitStopText.band(stopFigure(stop, nowMs).elapsed)}</p>
}
