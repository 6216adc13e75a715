import type { StopClock } from '#racing/race/stopClock.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { counterText, minutesAndSeconds } from '#web/ui/ages.ts'

/** The clock of a pit stop as it is shown, the same on every screen. */
export interface StopFigure {
  /** Time since the pit-in line. */
  readonly inPits: string
  /** Time that counts for the minimum. */
  readonly elapsed: string
  /** Time until DONE: 0:01 until it comes. Null without a minimum, and before a stop that counts has begun. */
  readonly doneIn: string | null
  /** What `doneIn` counts to: the end of the minimum or, with a known way to the exit, when the car may leave its box. */
  readonly doneInName: string
  readonly isDone: boolean
  /** What follows a minimum that is done: nothing, or the way to the exit. */
  readonly doneName: string
}

/** A shorter way to the exit is not worth a word. */
const leastWayOutMs = 1000

/** Returns the figures of the current pit stop. */
export function stopFigure(stop: StopClock, nowMs: number): StopFigure {
  const { pitInAt, elapsedMs, doneAt, isDone, wayOutMs } = stop
  const wayOut = wayOutMs < leastWayOutMs ? null : counterText(wayOutMs)
  return {
    inPits: counterText(nowMs - pitInAt),
    elapsed: counterText(elapsedMs),
    doneIn: doneAt === null ? null : downTo(doneAt - nowMs),
    doneInName: wayOut === null ? pitStopText.doneIn : pitStopText.leaveIn,
    isDone,
    doneName: wayOut === null ? pitStopText.minimumDone : pitStopText.thenWayOut(wayOut),
  }
}

/** Names the part of the minimum that is the way to the exit; null without one. */
export function wayOutText({ wayOutMs }: StopClock): string | null {
  return wayOutMs < leastWayOutMs ? null : pitStopText.withWayOut(counterText(wayOutMs))
}

/** Formats a countdown, rounded up to seconds: 0:00 is its end. */
export function downTo(ms: number): string {
  return minutesAndSeconds(Math.ceil(Math.max(0, ms) / 1000))
}
