import type { LaidStint } from './planTypes.ts'

/** A driver who is planned in another car at the same time. */
export interface DoubleBooking {
  readonly driver: string
  /** The id of the other car. */
  readonly carId: string
  /** Race time from which both stints are driven. */
  readonly fromMs: number
}

type PlannedStints = readonly Pick<LaidStint, 'driver' | 'fromMs' | 'toMs' | 'state'>[]

/** Returns the planned stints of a car whose driver is in another car's plan at the same time, in order of time. */
export function doubleBooked(
  stints: PlannedStints,
  others: readonly { readonly carId: string; readonly stints: PlannedStints }[],
): DoubleBooking[] {
  return stints
    .filter(({ state }) => state !== 'driven')
    .flatMap(({ driver, fromMs, toMs }) =>
      others.flatMap(({ carId, stints: planned }) =>
        planned
          .filter(each => driver !== null && each.driver === driver && each.state !== 'driven')
          .filter(each => each.fromMs < toMs && fromMs < each.toMs)
          .map(each => ({ driver: driver ?? '', carId, fromMs: Math.max(fromMs, each.fromMs) })),
      ),
    )
    .toSorted((a, b) => a.fromMs - b.fromMs)
}
