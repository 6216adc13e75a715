import type { Position } from '#contract/shared/places/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/places/track.ts'
import { CircuitFinder } from '#racing/circuit/circuitFinder.ts'
import { FixedCircuit } from '#racing/circuit/fixedCircuit.ts'
import type { CircuitSource } from '#racing/circuit/foundCircuit.ts'
import { learnCircuit } from '#racing/circuit/learn.ts'
import { circuitFrom, type TimedCircuit } from '#racing/circuit/outline.ts'
import type { RacingFix } from '#racing/fix.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { finishedLaps } from '#racing/laps/finishedLaps.ts'
import { type LapTable, lapsOf } from '#racing/laps/lapTimer.ts'

/** Least time between fixes from which a circuit is learned: more of them do not improve it. */
const learnEveryMs = 450

/** A circuit is learned from at most this many fixes, about three hours: more laps do not improve it. */
const mostLearned = 20_000

/** A line farther from the circuit than this is refused as a mistake. */
const farthestLineM = 500

/** The circuit of a recording, null if no lap was closed, and its laps. */
export interface TimedRecording extends LapTable {
  readonly circuit: TimedCircuit | null
  /** The name of a shipped circuit; null for every other one. */
  readonly name: string | null
}

interface Given {
  /** Absent: a shipped circuit is found, or one is learned from the recording. */
  readonly outline?: Position[] | undefined
  readonly line?: Position | undefined
}

/**
 * Times the laps in fixes in order of time. Without an outline or a line the circuit and its line are those that an
 * import of the recording finds. Throws RecordingRefused if the line is not at the circuit.
 */
export function timeRecording(
  fixes: readonly RacingFix[],
  { outline, line }: Given,
): TimedRecording {
  if (outline) return onGivenCircuit(fixes, outline, line)
  return line ? onLearnedCircuit(fixes, line) : onFoundCircuit(fixes)
}

function onFoundCircuit(fixes: readonly RacingFix[]): TimedRecording {
  const finder = new CircuitFinder()
  const timed = timedBy(finder, fixes)
  return finder.finish() ? timedBy(finder, fixes) : timed
}

function onLearnedCircuit(fixes: readonly RacingFix[], line: Position): TimedRecording {
  let lastMs = Number.NEGATIVE_INFINITY
  const some = fixes.filter(({ atMs }) => {
    if (atMs - lastMs < learnEveryMs) return false
    lastMs = atMs
    return true
  })
  const learned = learnCircuit(some.slice(0, mostLearned)) ?? learnCircuit(some)
  if (!learned) return { circuit: null, name: null, laps: [], pitVisits: [], isPoor: false }
  requireNear(learned.outline, line)
  const circuit = circuitFrom(learned.outline, line)
  return { circuit, name: null, ...lapsOf(fixes, circuit) }
}

function onGivenCircuit(
  fixes: readonly RacingFix[],
  outline: Position[],
  line: Position | undefined,
): TimedRecording {
  requireNear(outline, line)
  const start = line ?? outline[0]
  if (!start) throw new RecordingRefused('The circuit has no points.')
  return timedBy(new FixedCircuit({ id: 'file', outline, line: start }), fixes)
}

function timedBy(source: CircuitSource, fixes: readonly RacingFix[]): TimedRecording {
  const timer = new DriveTimer(source)
  for (let index = 0; index < fixes.length; ) {
    index = timer.add(fixes[index] as RacingFix) ? index + 1 : 0
  }
  timer.finish()
  const { circuit, laps, pitVisits, isPoor } = timer
  const name = circuit?.shipped?.name ?? null
  return { circuit, name, laps: finishedLaps(laps), pitVisits, isPoor }
}

function requireNear(outline: readonly Position[], line: Position | undefined) {
  const offM = line ? nearestOnTrack(trackOf(outline), line).offM : 0
  if (offM <= farthestLineM) return
  throw new RecordingRefused(
    `The line is ${Math.round(offM)} m from the circuit. Give a position on the circuit.`,
  )
}
