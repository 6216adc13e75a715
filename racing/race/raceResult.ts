import { crossedLaps } from '../laps/drivenLap.ts'
import type { CarRace } from './carRace.ts'
import { raceLaps } from './raceLaps.ts'

/** One of the team's cars in the result of a race. */
export interface ResultRow {
  readonly id: string
  readonly laps: number
  /** The distance to the team's first car: whole laps, or else time. Null for that car, and for one without a lap. */
  readonly behind: { readonly laps: number; readonly timeMs: number } | null
}

/**
 * Returns the cars of a team in the order in which they finished a race: more laps first, then the earlier last crossing.
 * It needs no timing of the organiser, so other teams' cars are not included.
 */
export function raceResult(
  cars: readonly { readonly id: string; readonly carRace: Pick<CarRace, 'race' | 'laps'> }[],
): ResultRow[] {
  const order = cars
    .map(({ id, carRace }) => ({ id, laps: raceLaps(carRace), finishedAt: lastCrossing(carRace) }))
    .toSorted((a, b) => b.laps - a.laps || a.finishedAt - b.finishedAt)
  const [first] = order
  return order.map(({ id, laps, finishedAt }) => {
    if (!first || id === first.id || laps === 0) return { id, laps, behind: null }
    const isLapped = laps < first.laps
    const timeMs = isLapped ? 0 : finishedAt - first.finishedAt
    return { id, laps, behind: { laps: first.laps - laps, timeMs } }
  })
}

/** Returns when a car completed its last lap of the race; infinity without one. */
function lastCrossing({ laps }: Pick<CarRace, 'laps'>): number {
  const last = crossedLaps(laps).findLast(({ number }) => number > 0)
  return last ? last.startedAt + last.timeMs : Number.POSITIVE_INFINITY
}
