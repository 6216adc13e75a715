import type { Position } from '#contract/shared/geo.ts'
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

/** Prepares a given circuit for timing. Throws RangeError if its outline has fewer than three positions. */
export function timedCircuit({ outline, line, pitLane }: GivenCircuit): TimedCircuit {
  const timed = circuitFrom(outline, line)
  if (!pitLane) return timed
  const alongM = (gate: Line) => alongLineM(timed.track, gate)
  return { ...timed, pitLane: { inM: alongM(pitLane.in), outM: alongM(pitLane.out) } }
}
