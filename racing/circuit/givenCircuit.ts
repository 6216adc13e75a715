import type { Position } from '#contract/shared/geo.ts'
import type { RacingFix } from '../fix.ts'
import type { LearnedCircuit } from './learn.ts'
import { alongLineM, circuitFrom, type Line, type TimedCircuit } from './outline.ts'

/** A circuit that is known before the drive: one of the team's, or a version that a session is fixed to. */
export interface GivenCircuit {
  readonly id: string
  /** In driving direction, at least three positions; it is closed if the last one does not repeat the first. */
  readonly outline: readonly Position[]
  /** Start/finish. A circuit that is given with another line is timed there. */
  readonly line: Line
  /** Beginning and end of visits to the pits. Without them, the pit lane is learned from slow passes. */
  readonly pitLane?: { readonly in: Line; readonly out: Line }
}

/** Learns a circuit from the fixes of a drive in small steps; see `learnSteps`. */
export type LearnCircuit = (
  fixes: readonly RacingFix[],
) => Iterator<unknown, LearnedCircuit | null, undefined>

/** The circuits that a drive may be on. */
export type CircuitChoice =
  | {
      /** The only circuit of the drive: it is known from the first fix on. Only its direction is learned. */
      readonly fixed: GivenCircuit
    }
  | {
      /** Found before the shipped ones. */
      readonly circuits?: readonly GivenCircuit[]
      /**
       * Learns an unknown circuit: `learnSteps`. It is passed in, so that an app that times on a fixed circuit need
       * not load it.
       */
      readonly learn: LearnCircuit
    }

/** Prepares a given circuit for timing. Throws RangeError if its outline has fewer than three positions. */
export function timedCircuit({ outline, line, pitLane }: GivenCircuit): TimedCircuit {
  const timed = circuitFrom(outline, line)
  if (!pitLane) return timed
  const alongM = (gate: Line) => alongLineM(timed.track, gate)
  return { ...timed, pitLane: { inM: alongM(pitLane.in), outM: alongM(pitLane.out) } }
}
