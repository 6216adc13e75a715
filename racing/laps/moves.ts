/** A time in which a phone moved as a car does: on the outline in the driving direction. */
export interface Drive {
  readonly from: number
  /**
   * When it entered the pits, left the circuit or parked, or its last fix before it was silent or passed the border of
   * what is known. Null while it drives.
   */
  readonly to: number | null
  /** True if it began where the car left the pits, or where the phone stood when it was switched on. */
  readonly leftPits: boolean
  /** When it was certain: `settledMs` after a visit to the pits, else after a quarter lap above 60 km/h or a slow lap. */
  readonly provenAt: number
  /** Times after it in which the phone stood, in order; the last one may have no end. Absent without one. */
  readonly stands?: readonly { readonly from: number; readonly to: number | null }[]
}

/** A start from standstill on the outline, as a car leaves its box and then the pit lane. */
export interface Departure {
  /** When it became faster than in the pit lane: the start of its drive, if one becomes certain. */
  readonly from: number
  /** When this was certain: at its next place, after enough way. */
  readonly provenAt: number
}

/** How a phone moved, by the times of its fixes. */
export interface Moves {
  /** Certain drives, in order of time. */
  readonly drives: readonly Drive[]
  /** In order of time. */
  readonly departures: readonly Departure[]
  /** Times without a fix of at least `noPositionMs`, in order. */
  readonly silences: readonly { readonly from: number; readonly to: number }[]
  /** Since when it moves faster than a parked car; null while it does not. */
  readonly movingSince: number | null
  /** Time of its newest fix; null without one. */
  readonly lastFixAt: number | null
}

/** Returns when a phone drove out of the pits, in order of time: also before its newest drive is certain. */
export function leftPitsAt({ drives, departures }: Pick<Moves, 'drives' | 'departures'>): number[] {
  const certainFrom = drives.at(-1)?.from ?? Number.NEGATIVE_INFINITY
  return [
    ...drives.filter(({ leftPits }) => leftPits),
    ...departures.filter(({ from }) => from > certainFrom + settledMs),
  ].map(({ from }) => from)
}

/** Phones in one car leave the pits within this time of each other, as their receivers see it. */
export const settledMs = 15_000
