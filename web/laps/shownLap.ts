import type { Lap } from '#contract/laps.ts'
import type { TimedLap } from '#web/race/lapFigures.ts'

/** A lap as screens show it. What only the laps of its phone say is absent until they have loaded. */
export interface ShownLap
  extends TimedLap,
    Partial<Pick<Lap, 'plusMinusMs' | 'yellowMessage' | 'marked'>> {
  readonly number: number
}
