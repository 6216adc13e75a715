import { type ReactNode, useEffect, useState } from 'react'
import {
  earlyMs,
  type StopClock,
  type StopRule,
  stopClock,
  type Visit,
} from '#racing/race/stopClock.ts'
import { downTo, minimumDone, stopFigure } from '#web/race/stopFigure.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './PitStop.module.css'

interface Props {
  /** In order of time; the last one has no end while the car is in the pits. */
  visits: readonly Visit[]
  /** Null without a minimum. */
  rule: StopRule | null
  /** True if the car is too fast for its box: no minimum is done then. */
  isFast: boolean
  /** The lower corner, such as the speed. */
  foot: ReactNode
  /** True if no pit-out line is known: the end of a stop is an estimate. */
  isAbout: boolean
  /** False while a message or something else is on the screen. */
  visible: boolean
  /** The order that called for this stop, while it is not cleared. */
  plate: string | null
  /** The screen outside the pits. */
  children: ReactNode
}

/** How long "early" is shown. */
const earlyShownMs = 5000

const hourMs = 3_600_000

/** The pit stop on the driver's screen: its clock, and afterwards by how much it was too short. */
export function PitStop({ children, ...props }: Props) {
  const { visits, rule, foot, visible, isAbout } = props
  const last = visits.at(-1) ?? null
  const early = useEarly(last, rule)
  if (last?.endedAt === null) return <RunningStop {...props} />
  if (early === null || !visible) return children
  return (
    <Stop
      title={pitStopText.pitOut}
      aside={rule && pitStopText.minimum(downTo(rule.minimumMs))}
      foot={foot}
    >
      <p className={styles.clock}>{downTo((rule?.minimumMs ?? early) - early)}</p>
      <p className={styles.early} role="alert" data-about={isAbout || undefined}>
        {pitStopText.early(downTo(early), isAbout)}
      </p>
    </Stop>
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

function RunningStop({ visits, rule, isFast, foot, visible, plate }: Omit<Props, 'children'>) {
  const nowMs = useServerNow(clockTickMs)
  const stop = stopClock(visits, rule, nowMs)
  if (!stop) return null
  const { elapsed: time, doneIn } = stopFigure(stop, nowMs)
  if (!visible) return <p className={styles.band}>{pitStopText.band(time)}</p>
  const minimum = stop.minimumMs === null ? null : downTo(stop.minimumMs)
  const done = minimum && pitStopText.of(time, minimum)
  if (stop.isDone && !isFast)
    return (
      <Stop aside={done} foot={foot} plate={plate}>
        <div className={styles.done} role="alert">
          <p className={styles.word}>{pitStopText.done}</p>
          <p className={styles.leave}>
            {pitStopText.leave}
            <small>{minimumDone(stop)}</small>
          </p>
        </div>
      </Stop>
    )
  return (
    <Stop
      aside={stop.isDone ? done : minimum && pitStopText.minimum(minimum)}
      foot={foot}
      plate={plate}
    >
      <p className={styles.clock} role="timer" data-hours={stop.elapsedMs >= hourMs || undefined}>
        {time}
      </p>
      {stop.minimumMs !== null && !stop.isDone && (
        <Rest stop={stop} doneIn={doneIn} nowMs={nowMs} />
      )}
      <output className={typography.hidden}>{announcement(stop, nowMs)}</output>
    </Stop>
  )
}

/** How long the minimum still lasts, in words and as a bar. */
function Rest({
  stop: { doneAt, elapsedMs, minimumMs },
  doneIn,
  nowMs,
}: {
  stop: StopClock
  doneIn: string | null
  nowMs: number
}) {
  if (doneAt === null) return <p className={styles.counts}>{pitStopText.countsFromStop}</p>
  const leftMs = doneAt - nowMs
  const share = elapsedMs / Math.max(1, elapsedMs + leftMs)
  return (
    <>
      <p className={styles.rest}>
        <span>{pitStopText.doneIn}</span>
        <b>{doneIn}</b>
      </p>
      {minimumMs !== null && (
        <p className={styles.bar}>
          <i style={{ width: `${Math.round(Math.min(1, share) * 100)}%` }} />
        </p>
      )}
    </>
  )
}

function Stop({
  title = pitStopText.pitStop,
  aside,
  plate = null,
  foot,
  children,
}: {
  title?: string
  aside: string | null
  plate?: string | null
  foot: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.stop} aria-label={pitStopText.pitStop} data-lap-board="">
      <div className={styles.middle}>
        <p className={styles.head}>
          {/* Both do not fit beside the minimum at 320 px. */}
          <span>{plate ? <b data-tone={plate.toLowerCase()}>{plate}</b> : title}</span>
          <span>{aside}</span>
        </p>
        {children}
      </div>
      {/* It changes every second: not worth recording in a support visit. */}
      <p className={styles.foot} data-openreplay-hidden="">
        {foot}
      </p>
    </section>
  )
}

/** Announced at the start, and with 30 s and 10 s left. */
function announcement({ doneAt, isDone }: StopClock, nowMs: number): string {
  const leftMs = doneAt === null || isDone ? Number.POSITIVE_INFINITY : doneAt - nowMs
  const near = [10, 30].find(seconds => leftMs <= seconds * 1000)
  return near === undefined ? pitStopText.pitStop : pitStopText.secondsLeft(wholeNumber(near))
}
