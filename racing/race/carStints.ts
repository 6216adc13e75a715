import type { DrivenLap } from '../laps/drivenLap.ts'
import type { CarRace } from './carRace.ts'
import { countedStints, type DrivenStint } from './stintClock.ts'

/** A stint of a car, as it counts. */
export interface CarStint extends DrivenStint {
  readonly id: string
  /** The session on whose page it was entered, or whose phone it began with. */
  readonly sessionId: string
  /** True if a lap of it was yellow. */
  readonly hadYellow: boolean
}

/** Returns the stints of a car as they count, in order of time: without the time in the pits. */
export function stintsOf(
  { stints, visits, laps }: Pick<CarRace, 'stints' | 'visits' | 'laps'>,
  nowMs: number,
): CarStint[] {
  return countedStints(stints, visits, nowMs).map(stint => ({
    ...stint,
    hadYellow: hadYellow(laps, stint, nowMs),
  }))
}

function hadYellow(
  laps: readonly DrivenLap[],
  { from, to }: Pick<DrivenStint, 'from' | 'to'>,
  nowMs: number,
): boolean {
  return laps.some(
    ({ yellow, startedAt, timeMs }) =>
      yellow && startedAt < (to ?? nowMs) && startedAt + timeMs > from,
  )
}
