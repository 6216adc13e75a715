import type { LoggedMessage } from '#contract/messages.ts'
import { yellowMessages } from '#contract/shared/lapKinds.ts'
import { type Comparison, type LapBoard, type LapState, lapBoardOf } from '#web/laps/lapBoard.ts'
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
  const current = all.find(lap => lap.startedAt <= at && endOf(lap) > at)
  // A message under the official green flag does not make the lap yellow.
  const mayBeYellow = sinceMs !== null && current?.yellow !== false
  return lapBoardOf({
    laps,
    gpsPoor,
    comparison,
    tenths: undefined,
    stopped: null,
    presentYellow: mayBeYellow ? yellowBetween(log, sinceMs, at) : null,
  })
}

/** Returns the first of FCY, SC and Code 60 that was the team's message between two times. */
function yellowBetween(
  log: readonly LoggedMessage[],
  fromMs: number,
  untilMs: number,
): LapState['presentYellow'] {
  const sent = log.toSorted((a, b) => a.version - b.version)
  for (const [index, { type, sentAt }] of sent.entries()) {
    const flag = yellowMessages.find(each => each === type)
    const endMs = sent[index + 1]?.sentAt ?? Number.POSITIVE_INFINITY
    if (flag && sentAt !== null && sentAt <= untilMs && endMs > fromMs)
      return { yellow: true, yellowMessage: flag, yellowFlag: null }
  }
  return null
}
