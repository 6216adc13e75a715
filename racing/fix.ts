import type { Position } from '#contract/shared/geo.ts'

/** One reading of a GPS receiver. */
export interface RacingFix extends Position {
  /** When the receiver measured it, in milliseconds since any fixed start. */
  readonly atMs: number
  /** Speed over the ground; null if the receiver does not report it. */
  readonly speedMps: number | null
  /** Direction over the ground: 0 is north, 90 is east; null if it is not reported. */
  readonly headingDeg: number | null
  /** Radius that contains the receiver with a probability of 95 %, as it reports; null if it is not reported. */
  readonly accuracyM: number | null
  /** True if `atMs` is when the reading arrived: some tenths of a second after the receiver measured it. */
  readonly atArrival?: boolean
}

/** A reading with a position on the circuit's flat map, and its speed, measured or derived. */
export interface PlacedFix {
  readonly atMs: number
  readonly eastM: number
  readonly northM: number
  readonly speedMps: number
  readonly accuracyM: number | null
  readonly atArrival?: boolean
}

/** A car slower than this is parked: it starts and ends no lap. Source: receivers wander by up to 48 m in an hour. */
export const parkedMps = 10 / 3.6

/** A slower car is standing. Slower than a walk, so that receivers' noise is not taken for driving. */
export const standingMps = 3 / 3.6

/** A slower car may be in the paddock, in the pits or in trouble: it shows nothing about the circuit. */
export const fastMps = 30 / 3.6
