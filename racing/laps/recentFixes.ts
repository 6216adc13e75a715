import { lengthOf, type Point } from '#contract/shared/geo.ts'
import { type Crossing, crossingNear } from '../circuits/crossing.ts'
import type { TimedCircuit } from '../circuits/outline.ts'
import type { PlacedFix, RacingFix } from '../fix.ts'

/** Fixes are kept for this long, for the interpolation of a crossing. */
const keptMs = 40_000

/** Time around a matched crossing in which the line must be crossed, if half a lap takes longer. */
const crossingWithinMs = 12_000

/** Without a measured speed it is derived over this time. */
const speedOverMs = 3000

/** The newest fixes of a drive, on the flat map of its circuit. */
export class RecentFixes {
  readonly #circuit: TimedCircuit
  readonly #fixes: PlacedFix[] = []

  constructor(circuit: TimedCircuit) {
    this.#circuit = circuit
  }

  get last(): PlacedFix | undefined {
    return this.#fixes.at(-1)
  }

  add(fix: RacingFix): PlacedFix {
    const { atMs, accuracyM, atArrival } = fix
    const point = this.#circuit.track.plane.toPoint(fix)
    const { eastM, northM } = point
    const speedMps = fix.speedMps ?? this.#derivedSpeedMps(atMs, point)
    // Copying all properties of a fix would cost as much as matching it.
    const known = { atMs, eastM, northM, speedMps, accuracyM }
    const placed: PlacedFix = atArrival === undefined ? known : { ...known, atArrival }
    this.#fixes.push(placed)
    while ((this.#fixes[0] ?? placed).atMs < atMs - keptMs) this.#fixes.shift()
    return placed
  }

  /**
   * Returns the crossing of the line nearest to `aroundMs`; null if there is none within some seconds. One that is half a
   * lap away is of another lap.
   */
  crossingNear(aroundMs: number, halfLapMs: number, leastWidthM?: number): Crossing | null {
    const withinMs = Math.min(crossingWithinMs, halfLapMs)
    const near = this.#fixes.filter(({ atMs }) => Math.abs(atMs - aroundMs) <= withinMs)
    return crossingNear(this.#circuit.gate, near, aroundMs, leastWidthM)
  }

  /** Derives the speed from the distance to a fix about 3 s earlier; 0 without one. */
  #derivedSpeedMps(atMs: number, { eastM, northM }: Point): number {
    const from = this.#fixes.findLast(fix => atMs - fix.atMs >= speedOverMs) ?? this.#fixes[0]
    if (!from) return 0
    return lengthOf(eastM - from.eastM, northM - from.northM) / ((atMs - from.atMs) / 1000)
  }
}
