import type { Circuit } from '#contract/shared/circuits/circuit.ts'
import type { Position } from '#contract/shared/geo.ts'
import type { RacingFix } from '../fix.ts'
import { memoized } from '../memoized.ts'
import { type GivenCircuit, timedCircuit } from './givenCircuit.ts'
import type { LearnedCircuit } from './learn.ts'
import { circuitFrom, type TimedCircuit } from './outline.ts'

/** The circuit of a drive. */
export interface FoundCircuit extends TimedCircuit {
  /** One of the shipped circuits; null if it was given or learned. */
  readonly shipped: Circuit | null
  /** One of the given circuits; null if it is a shipped one or was learned. */
  readonly given: GivenCircuit | null
  readonly learned: LearnedCircuit | null
  /** In the direction of the car. */
  readonly outline: readonly Position[]
  /** True if it was learned, and its line is that of the recording. */
  readonly isLineRecorded?: boolean
}

/**
 * A known circuit is final after this many changes of the circuit or its direction: all fixes are timed again with each
 * of them, and a car that turned round for hours would take a time that grows with their square.
 */
export const mostChanges = 20

/** Finds the circuit of a drive. It depends only on the fixes in order of time. */
export interface CircuitSource {
  /** Null while the circuit is not known. */
  readonly found: FoundCircuit | null
  /** Adds a fix, and returns whether the circuit changed. Ignores fixes that are not newer than the last one. */
  add(fix: RacingFix): boolean
}

/** Converts a given circuit to the circuit of a drive: the same object for the same circuit. */
export const foundGiven = memoized((given: GivenCircuit): FoundCircuit => {
  return { ...timedCircuit(given), shipped: null, given, learned: null, outline: given.outline }
})

/** Returns the same circuit driven the other way round, with the same line. */
export function reversed({ track, gate, outline, pitLane, ...found }: FoundCircuit): FoundCircuit {
  const backwards = outline.toReversed()
  const line = track.plane.toPosition(gate.point)
  return {
    ...found,
    ...circuitFrom(backwards, line),
    outline: backwards,
    ...(pitLane && {
      pitLane: { inM: track.lengthM - pitLane.outM, outM: track.lengthM - pitLane.inM },
    }),
  }
}
