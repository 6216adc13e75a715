import type { StopClock } from '#racing/race/stopClock.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { counterText, minutesAndSeconds } from '#web/ui/ages.ts'

/** The clock of a pit stop as it is shown, the same on every screen. */
export interface StopFigure {
  /** Time since the pit-in line. */
  readonly inPits: string
  /** Time that counts for the minimum. */
  readonly elapsed: string
  readonly isDone: boolean
  /**
   * Time until DONE, 0:01 until it comes, or DONE, with its name. With a known way to the exit it is the time until the
   * car may leave its box, and LEAVE. Null without a minimum, and before a stop that counts has begun.
   */
  readonly rest: { readonly name: string; readonly value: string } | null
}

/** A shorter way to the exit is not worth a word. */
const leastWayOutMs = 1000

/** Returns the figures of the current pit stop. */
export function stopFigure(stop: StopClock, nowMs: number): StopFigure {
  const { pitInAt, elapsedMs, doneAt, isDone } = stop
  return {
    inPits: counterText(nowMs - pitInAt),
    elapsed: counterText(elapsedMs),
    isDone,
    rest: doneAt === null ? null : restOf(stop, downTo(doneAt - nowMs)),
  }
}

function restOf({ isDone, wayOutMs, hasLeftBox }: StopClock, time: string): StopFigure['rest'] {
  const { done, doneIn, leave, leaveIn, minimumDone, onWayOut, thenWayOut } = pitStopText
  const hasWayOut = wayOutMs >= leastWayOutMs
  if (!isDone) return { name: hasWayOut && !hasLeftBox ? leaveIn : doneIn, value: time }
  if (!hasWayOut) return { name: minimumDone, value: done.toUpperCase() }
  if (hasLeftBox) return { name: onWayOut, value: done.toUpperCase() }
  return { name: thenWayOut(counterText(wayOutMs)), value: leave.toUpperCase() }
}

/** Names the part of the minimum that is the way to the exit; null without one. */
export function wayOutText({ wayOutMs }: StopClock): string | null {
  return wayOutMs < leastWayOutMs ? null : pitStopText.withWayOut(counterText(wayOutMs))
}

/** Formats a countdown, rounded up to seconds: 0:00 is its end. */
export function downTo(ms: number): string {
  return minutesAndSeconds(Math.ceil(Math.max(0, ms) / 1000))
}
