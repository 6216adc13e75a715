import type { ReactNode } from 'react'
import type { Message } from '#contract/messages.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { isSafetyOrder } from '#contract/shared/messageTypes.ts'
import { type StopClock, type StopRule, stopClock, type Visit } from '#racing/race/stopClock.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { counterText } from '#web/ui/ages.ts'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './StopScreen.module.css'
import { downTo, type StopFigure, stopFigure } from './stopFigure.ts'

type StopPlate = Pick<Message, 'type' | 'colour'>

export interface StopProps {
  /** In order of time; the last one has no end while the car is in the pits. */
  visits: readonly Visit[]
  /** Null without a minimum. */
  rule: StopRule | null
  /** True if the car is too fast for its box: no minimum is done then. */
  isFast: boolean
  /** The speed limit of the lane by the rules; null without one. */
  limitKmh: number | null
  /** The lower corner, such as the speed. */
  foot: ReactNode
  /** The message that the stop has taken the place of, while it is not cleared. */
  plate: StopPlate | null
}

/** The pit stop on the driver's screen at a time; nothing outside the pits. */
export function StopScreen(props: StopProps & { nowMs: number }) {
  const { visits, rule, isFast, limitKmh, foot, plate, nowMs } = props
  const stop = stopClock(visits, rule, nowMs)
  if (!stop) return null
  const { elapsed: time, rest } = stopFigure(stop, nowMs)
  const { minimumMs, elapsedMs } = stop
  const minimum = minimumMs === null ? null : downTo(minimumMs)
  // While the way to the exit counts, DONE comes before the minimum has elapsed: a time below it would contradict DONE.
  const hasElapsed = stop.isDone && elapsedMs >= (minimumMs ?? 0)
  const aside =
    minimum && (hasElapsed ? pitStopText.of(time, minimum) : pitStopText.minimum(minimum))
  const limit = limitKmh === null ? null : pitStopText.limit(wholeNumber(limitKmh))
  if (stop.isDone && !isFast)
    return (
      <StopFrame {...{ aside, foot, plate }}>
        <div className={styles.done} role="alert">
          <p className={styles.word}>{pitStopText.done}</p>
          <p className={styles.leave}>
            {stop.hasLeftBox ? limit : pitStopText.onSignal}
            <small>{stop.hasLeftBox ? pitStopText.minimumDone : rest?.name}</small>
          </p>
        </div>
      </StopFrame>
    )
  return (
    <StopFrame {...{ aside, foot, plate }}>
      <p className={styles.clock} role="timer" data-hours={elapsedMs >= hourMs || undefined}>
        {time}
      </p>
      {minimumMs !== null && !stop.isDone && <Rest {...{ stop, rest, nowMs }} />}
      <output className={typography.hidden}>{announcement(stop, nowMs)}</output>
    </StopFrame>
  )
}

/** How long the minimum still lasts, in words and as a bar. */
function Rest({
  stop: { doneAt, elapsedMs, minimumMs, wayOutMs },
  rest,
  nowMs,
}: {
  stop: StopClock
  rest: StopFigure['rest']
  nowMs: number
}) {
  if (doneAt === null) return <p className={styles.counts}>{pitStopText.countsFromStop}</p>
  const leftMs = doneAt - nowMs
  const share = elapsedMs / Math.max(1, elapsedMs + leftMs)
  return (
    <>
      <p className={styles.rest}>
        <span>{rest?.name}</span>
        <b>{rest?.value}</b>
      </p>
      {wayOutMs >= 1000 && (
        <p className={styles.exit}>{pitStopText.thenWayOut(counterText(wayOutMs))}</p>
      )}
      {minimumMs !== null && (
        <p className={styles.bar}>
          <i style={{ width: `${Math.round(Math.min(1, share) * 100)}%` }} />
        </p>
      )}
    </>
  )
}

/** The frame of what the driver's screen shows about a stop. */
export function StopFrame({
  title = pitStopText.pitStop,
  aside,
  plate = null,
  foot,
  children,
}: {
  title?: string
  aside: string | null
  plate?: StopPlate | null
  foot: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.stop} aria-label={pitStopText.pitStop} data-lap-board="">
      <div className={styles.middle}>
        <p className={styles.head}>
          {/* Both do not fit beside the minimum at 320 px. */}
          <span>{plate ? <Plate {...plate} /> : title}</span>
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

/** The message that the stop has taken the place of: a safety order is a full plate. */
function Plate({ type, colour }: StopPlate) {
  if (type === null) return null
  return (
    <b
      className={tones.toned}
      data-tone={toneOf({ type, colour }) ?? undefined}
      data-safety={isSafetyOrder(type) || undefined}
    >
      {type}
    </b>
  )
}

/** Announced at the start, and with 30 s and 10 s left. */
function announcement({ doneAt, isDone }: StopClock, nowMs: number): string {
  const leftMs = doneAt === null || isDone ? Number.POSITIVE_INFINITY : doneAt - nowMs
  const near = [10, 30].find(seconds => leftMs <= seconds * 1000)
  return near === undefined ? pitStopText.pitStop : pitStopText.secondsLeft(wholeNumber(near))
}
