import { longestCircuitM, shortestCircuitM } from '#contract/shared/bounds.ts'
import type { Position } from '#contract/shared/geo.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import { nearestOnTrack, type Track, trackOf } from '#contract/shared/track.ts'
import { CircuitFinder } from '#racing/circuits/circuitFinder.ts'
import { type CircuitDrive, drivesIn } from '#racing/circuits/drives.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import type { CircuitSource, FoundCircuit } from '#racing/circuits/foundCircuit.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import type { RacingFix } from '#racing/fix.ts'
import type { CircuitFile } from '#racing/formats/circuitGpx.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { finishedLaps } from '#racing/laps/finishedLaps.ts'
import type { TimedLaps } from '#racing/laps/lapTimer.ts'

/** A gate farther from the circuit than this is refused as a mistake. */
const farthestGateM = 500

/** The circuit of a recording, null if no lap was closed, and its laps. */
export interface TimedRecording extends TimedLaps {
  readonly circuit: FoundCircuit | null
  /** The name of a shipped circuit; null for every other one. */
  readonly name: string | null
  /** Why no further laps were timed; null if all were. */
  readonly stopped: LapTimingStop | null
}

interface Given {
  /** Absent: a shipped circuit is found, or one is learned from the recording. */
  readonly circuit?: CircuitFile | undefined
  /** Takes the place of the circuit's line. */
  readonly line?: Position | undefined
  /** The line that the recording has: a learned circuit gets it. */
  readonly ownLine?: Position | null | undefined
}

/**
 * Times each drive of a recording, as divided by `drivesIn`: a given circuit has only one. A line moves the line of the
 * circuits that are near it. Throws RecordingRefused if a gate is not at the circuit.
 */
export function timeDrives(
  fixes: readonly RacingFix[],
  given: Given,
): { fixes: readonly RacingFix[]; timed: TimedRecording }[] {
  if (given.circuit) return [{ fixes, timed: timeRecording(fixes, given) }]
  const drives = drivesIn(fixes)
  const { line } = given
  const isNear = ({ circuit }: CircuitDrive) =>
    line && circuit && nearestOnTrack(circuit.track, line).offM <= farthestGateM
  const isAnywhere = drives.some(isNear)
  return drives.map(drive => ({
    fixes: drive.fixes,
    timed: timeRecording(
      drive.fixes,
      isAnywhere && !isNear(drive) ? { ownLine: given.ownLine } : given,
    ),
  }))
}

/**
 * Times the laps in fixes in order of time. Without a circuit or a line both are those that an import of the recording
 * finds. Throws RecordingRefused if a gate is not at the circuit.
 */
export function timeRecording(
  fixes: readonly RacingFix[],
  { circuit, line, ownLine = null }: Given,
): TimedRecording {
  if (circuit) return timedBy(new FixedCircuit(givenBy(circuit, line)), fixes)
  const timed = onFoundCircuit(fixes, ownLine)
  if (!line || !timed.circuit) return timed
  const { outline } = timed.circuit
  requireNear(outline, line)
  const moved = timedBy(new FixedCircuit({ id: 'found', outline, line }), fixes)
  return { ...moved, name: timed.name }
}

function onFoundCircuit(fixes: readonly RacingFix[], line: Position | null): TimedRecording {
  const finder = new CircuitFinder([], line)
  const timed = timedBy(finder, fixes)
  return finder.finish() ? timedBy(finder, fixes) : timed
}

/** Without a line, laps begin where the outline begins. */
function givenBy({ outline, gates }: CircuitFile, line = gates.line): GivenCircuit {
  requireLength(trackOf(outline))
  const { 'pit-in': pitIn, 'pit-out': pitOut } = gates
  for (const gate of [line, pitIn, pitOut]) if (gate) requireNear(outline, gate)
  const pitLane = pitIn && pitOut && { in: pitIn, out: pitOut }
  const start = line ?? (outline[0] as Position)
  return { id: 'file', outline, line: start, ...(pitLane && { pitLane }) }
}

function timedBy(source: CircuitSource, fixes: readonly RacingFix[]): TimedRecording {
  const timer = new DriveTimer(source)
  // A circuit found with a fix also times the fixes before it: all are added again.
  for (let index = 0; index < fixes.length; ) {
    index = timer.add(fixes[index] as RacingFix) ? index + 1 : 0
  }
  timer.finish()
  const { circuit, laps, pitVisits, isPoor, stopped } = timer
  const name = circuit?.shipped?.name ?? null
  return { circuit, name, laps: finishedLaps(laps), pitVisits, isPoor, stopped }
}

function requireLength({ lengthM }: Track) {
  if (lengthM >= shortestCircuitM && lengthM <= longestCircuitM) return
  throw new RecordingRefused(
    `The outline is ${Math.round(lengthM)} m long: it must be ${shortestCircuitM} m to ${longestCircuitM / 1000} km.`,
  )
}

function requireNear(outline: readonly Position[], gate: Position) {
  const { offM } = nearestOnTrack(trackOf(outline), gate)
  if (offM <= farthestGateM) return
  throw new RecordingRefused(
    `The line is ${Math.round(offM)} m from the circuit. Give a position on the circuit.`,
  )
}
