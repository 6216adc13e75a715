import { wallText } from '#web/text/wall.ts'
import { lapTime, type TimedLap } from './lapFigures.ts'

/** Returns the time of the last lap, and which lap it is of: also one that is not compared. */
export function lastLapFigure(last: TimedLap, gpsPoor: boolean) {
  const kind = lapKind(last)
  return {
    name: kind === null ? wallText.lastNone : wallText.lastOf(kind),
    value: last.isSeen ? lapTime(last.timeMs, gpsPoor) : wallText.noTime,
  }
}

/** Returns why a lap is not compared, in a word; null for a usual one. */
export function lapKind({ kind, yellow }: Pick<TimedLap, 'kind' | 'yellow'>): string | null {
  if (kind === 'out') return wallText.outLap
  if (kind === 'in') return wallText.inLap
  return yellow ? wallText.yellow : null
}
