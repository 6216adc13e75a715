import type { LoggedMessage } from '#contract/messages.ts'
import { type YellowMessage, yellowMessages } from '#contract/shared/lapKinds.ts'
import { type Comparison, type LapBoard, lapBoardOf } from '#web/laps/lapBoard.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import { currentLapSince, endOf } from '#web/race/lapFigures.ts'

interface Drive {
  /** Laps of the car, whichever phone saw them. */
  laps: readonly ShownLap[]
  gpsPoor: boolean
  comparison: Comparison
  /** Every message of the session. */
  log: readonly LoggedMessage[]
}

/**
 * Returns the laps on the driver's screen at a time: the laps that had ended, and the delta of the last one. The deltas
 * at the fast places of a lap are the phone's own and are not stored. Null before the first whole lap.
 */
export function glassBoardAt(
  { laps: all, gpsPoor, comparison, log }: Drive,
  at: number,
): LapBoard | null {
  const laps = all.filter(lap => endOf(lap) <= at)
  const sinceMs = currentLapSince(laps)
  return lapBoardOf({
    laps,
    gpsPoor,
    comparison,
    tenths: undefined,
    stopped: null,
    presentYellow: sinceMs === null ? null : yellowBetween(log, sinceMs, at),
  })
}

/** Returns the first of FCY, SC and Code 60 that was the team's message between two times; null if none was. */
function yellowBetween(
  log: readonly LoggedMessage[],
  fromMs: number,
  untilMs: number,
): YellowMessage | null {
  const sent = log.toSorted((a, b) => a.version - b.version)
  for (const [index, { type, sentAt }] of sent.entries()) {
    const flag = yellowMessages.find(each => each === type)
    const endMs = sent[index + 1]?.sentAt ?? Number.POSITIVE_INFINITY
    if (flag && sentAt !== null && sentAt <= untilMs && endMs > fromMs) return flag
  }
  return null
}
