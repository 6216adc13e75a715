import type { Position } from '#contract/shared/places/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/places/track.ts'
import { FixedCircuit } from '#racing/circuit/fixedCircuit.ts'
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

/** A line farther from the circuit is a mistake. */
const farthestLineM = 500

/** The circuit of a recording, null if no lap was closed, and its laps. */
export interface TimedRecording extends LapTable {
  readonly circuit: TimedCircuit | null
}

interface Given {
  /** Without one it is learned from the recording. */
  readonly outline?: Position[] | undefined
  readonly line?: Position | undefined
}

/** Times the laps in fixes in order of time. Throws RecordingRefused if the line is not at the circuit. */
export function timeRecording(
  fixes: readonly RacingFix[],
  { outline, line }: Given,
): TimedRecording {
  return outline ? onGivenCircuit(fixes, outline, line) : onLearnedCircuit(fixes, line)
}

function onLearnedCircuit(fixes: readonly RacingFix[], line: Position | undefined): TimedRecording {
  let lastMs = Number.NEGATIVE_INFINITY
  const some = fixes.filter(({ atMs }) => {
    if (atMs - lastMs < learnEveryMs) return false
    lastMs = atMs
    return true
  })
  const learned = learnCircuit(some.slice(0, mostLearned)) ?? learnCircuit(some)
  if (!learned) return { circuit: null, laps: [], pitVisits: [], isPoor: false }
  requireNear(learned.outline, line)
  const circuit = circuitFrom(learned.outline, line ?? learned.line)
  return { circuit, ...lapsOf(fixes, circuit) }
}

function onGivenCircuit(
  fixes: readonly RacingFix[],
  outline: Position[],
  line: Position | undefined,
): TimedRecording {
  requireNear(outline, line)
  const start = line ?? outline[0]
  if (!start) throw new RecordingRefused('The circuit has no points.')
  const timer = new DriveTimer(new FixedCircuit({ id: 'file', outline, line: start }))
  for (let index = 0; index < fixes.length; ) {
    index = timer.add(fixes[index] as RacingFix) ? index + 1 : 0
  }
  timer.finish()
  const { circuit, laps, pitVisits, isPoor } = timer
  return { circuit, laps: finishedLaps(laps), pitVisits, isPoor }
}

function requireNear(outline: readonly Position[], line: Position | undefined) {
  const offM = line ? nearestOnTrack(trackOf(outline), line).offM : 0
  if (offM <= farthestLineM) return
  throw new RecordingRefused(`The line is ${Math.round(offM)} m from the circuit.`)
}
