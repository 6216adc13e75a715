import type { Lap } from '#contract/laps.ts'
import type { TimedLap } from '#web/race/lapFigures.ts'

/** A lap as screens show it. Values that only the laps of its phone have are absent until these have loaded. */
export interface ShownLap
  extends TimedLap,
    Partial<Pick<Lap, 'plusMinusMs' | 'yellowMessage' | 'yellowFlag' | 'marked'>> {
  readonly number: number
}
