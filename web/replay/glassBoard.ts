import { type Comparison, type LapBoard, lapBoardOf } from '#web/laps/lapBoard.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import { endOf } from '#web/race/lapFigures.ts'

interface Drive {
  /** Laps of the car, whichever phone saw them. */
  laps: readonly ShownLap[]
  gpsPoor: boolean
  comparison: Comparison
}

/**
 * Returns the laps on the driver's screen at a time: the laps that had ended, and the delta of the last one. The deltas
 * at the fast places of a lap are the phone's own and are not stored. Null before the first whole lap.
 */
export function glassBoardAt(
  { laps: all, gpsPoor, comparison }: Drive,
  at: number,
): LapBoard | null {
  const laps = all.filter(lap => endOf(lap) <= at)
  return lapBoardOf({ laps, gpsPoor, comparison, tenths: undefined, stopped: null })
}
