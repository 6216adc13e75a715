import { lengthOf } from '#contract/shared/geo.ts'
import { Accuracy } from '../circuits/accuracy.ts'
import { type Crossing, crossingNear } from '../circuits/crossing.ts'
import type { Gate, TimedCircuit } from '../circuits/outline.ts'
import type { PlacedFix, RacingFix } from '../fix.ts'
import { deltaPointsOf } from './deltaPoints.ts'
import { RecentFixes } from './recentFixes.ts'

/** A car at one of the points of a circuit. */
export interface Pass {
  readonly atMs: number
  /** Half the interval that contains the true time between two passes of this point in 95 % of laps. */
  readonly plusMinusMs: number
}

/** A car that crosses a line at a larger angle drives elsewhere. The cosine of 60 degrees. */
const leastCosine = 0.5

/** Fixes kept until the points are chosen: enough for two slow laps of a long circuit. */
const mostKept = 2000

/** Passes kept of each point. The median of ten laps is compared, and more of them may be yellow. */
const passesKept = 50

/**
 * Finds when a car passes the line and the points of a circuit, with the first fix after each. The passes are not
 * checked: a parallel pit lane crosses the line too. `LapTimer` is certain, but some fixes later.
 */
export class Passes {
  readonly #circuit: TimedCircuit
  readonly #accuracy = new Accuracy()
  readonly #recentFixes: RecentFixes
  /** The last fix; before the points are chosen, all fixes that may belong to the lap they are chosen from. */
  #recent: PlacedFix[] = []
  #points: readonly Gate[] = []
  /** Passes of each point, and of the line at the end. */
  #passes: Pass[][] = [[]]

  constructor(circuit: TimedCircuit) {
    this.#circuit = circuit
    this.#recentFixes = new RecentFixes(circuit)
  }

  /** Number of points, without the line. 0 until they are chosen. */
  get pointCount(): number {
    return this.#points.length
  }

  /** Passes of a point, in order of time. */
  at(point: number): readonly Pass[] {
    return this.#passes[point] ?? []
  }

  /** Crossings of the line, in order of time. */
  get line(): readonly Pass[] {
    return this.#passes.at(-1) ?? []
  }

  /** Adds the next fix in order of time. */
  add(fix: RacingFix) {
    const before = this.#recent.at(-1)
    if (before && fix.atMs <= before.atMs) return
    const placed = this.#recentFixes.add(fix)
    this.#recent.push(placed)
    const kept = this.#points.length > 0 ? 1 : mostKept
    if (this.#recent.length > 2 * kept) this.#recent = this.#recent.slice(-kept)
    if (before) this.#pass(before, placed, [...this.#points, this.#circuit.gate])
  }

  /** Chooses the points from a finished whole lap. Does nothing once they are chosen. */
  choosePoints(lap: { startedAtMs: number; timeMs: number }) {
    if (this.#points.length > 0) return
    const endMs = lap.startedAtMs + lap.timeMs
    const fixes = this.#recent.filter(({ atMs }) => atMs >= lap.startedAtMs && atMs <= endMs)
    const points = deltaPointsOf(this.#circuit.track, fixes)
    this.#points = points
    this.#passes = [...points.map(() => []), [...this.line]]
    for (const [index, fix] of this.#recent.entries()) {
      const before = this.#recent[index - 1]
      if (before) this.#pass(before, fix, points)
    }
  }

  #pass(before: PlacedFix, fix: PlacedFix, gates: readonly Gate[]) {
    const eastM = fix.eastM - before.eastM
    const northM = fix.northM - before.northM
    const stepM = lengthOf(eastM, northM)
    for (const [point, gate] of gates.entries()) {
      const aheadM = eastM * gate.direction.eastM + northM * gate.direction.northM
      if (aheadM < leastCosine * stepM) continue
      const crossing = crossingNear(gate, [before, fix], fix.atMs)
      if (crossing?.isSeen) this.#keep(point, crossing)
    }
  }

  #keep(point: number, crossing: Crossing) {
    const passes = this.#passes[point]
    if (!passes) return
    const plusMinusMs = this.#accuracy.plusMinusMs(crossing, crossing)
    passes.push({ atMs: crossing.atMs, plusMinusMs })
    if (passes.length > passesKept) passes.shift()
  }
}
