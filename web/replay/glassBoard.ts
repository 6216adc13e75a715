import type { ShownFlag } from '#contract/glass.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { yellowMessages } from '#contract/shared/lapKinds.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { type Yellow, yellowOf, yellowPeriods } from '#racing/timing/yellow.ts'
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
  /** The official flags that were sent to its glass, in order of time. */
  flags: readonly ShownFlag[]
}

/**
 * Returns the laps on the driver's screen at a time: the laps that had ended, and the delta of the last one. The deltas
 * at the fast places of a lap are the phone's own and are not stored. Null before the first whole lap.
 */
export function glassBoardAt(
  { laps: all, gpsPoor, comparison, log, flags }: Drive,
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
    presentYellow: mayBeYellow ? yellowBetween({ log, flags }, sinceMs, at) : null,
  })
}

/** Returns whether a lap is yellow between two times, by the official flags on the glass and the team's messages. */
function yellowBetween(
  { log, flags }: Pick<Drive, 'log' | 'flags'>,
  fromMs: number,
  untilMs: number,
): Yellow {
  const sent = log.toSorted((a, b) => a.version - b.version)
  const messages = sent.flatMap(({ type, sentAt }, index) => {
    const yellow = yellowMessages.find(each => each === type)
    return yellow && sentAt !== null
      ? [{ type: yellow, fromMs: sentAt, untilMs: sent[index + 1]?.sentAt ?? null }]
      : []
  })
  const received = flags.filter(({ at }) => at <= untilMs)
  // As on the phone, a flag of a source counts until the next one that it received, also by hand.
  const seen = received.flatMap(({ flag, at, byHand }, index) => {
    if (byHand !== undefined) return []
    const next = received[index + 1]
    // A flag by hand is on the glass while the source is silent.
    const silentMs = next?.byHand === undefined ? 0 : silentFeedMs
    return { flag, fromMs: at, seenMs: Math.max(at, (next?.at ?? untilMs) - silentMs) }
  })
  const entered = received.filter(({ byHand }) => byHand !== undefined)
  const periods = yellowPeriods({ messages, seen, entered, marksMs: [] })
  return yellowOf({ startedAt: fromMs, timeMs: untilMs + 1 - fromMs }, periods)
}
