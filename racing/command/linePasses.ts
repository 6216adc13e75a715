import type { TimedCircuit } from '#racing/circuits/outline.ts'
import { besideGateM, pastGateM } from '#racing/circuits/outline.ts'
import type { RacingFix } from '#racing/fix.ts'
import type { TimedLap } from '#racing/laps/lapTimer.ts'

/** Two successive fixes before and after the line, in the direction of the race. */
export interface LinePass {
  /** Time of the pass, interpolated at constant speed between the two fixes. */
  readonly atMs: number
  /** Time between the two fixes. */
  readonly gapMs: number
  /** Distance from the middle of the line. */
  readonly besideM: number
  /** The worse reported accuracy of the two; null without one. */
  readonly accuracyM: number | null
  /** Speed of the fix after the line; null if the receiver does not report it. */
  readonly speedMps: number | null
  /** The lap that begins or ends here; null if the engine found no crossing. */
  readonly lap: { readonly number: number; readonly isBegin: boolean } | null
}

/** A pass farther than this from the middle of the line is elsewhere on the circuit. */
const nearLineM = 100

/** Greatest difference between the times of a pass and of its crossing, which the engine may have estimated. */
const sameCrossingMs = 12_000

/** Finds successive fixes with the line in between, including those that the engine does not accept as crossings. */
export function linePasses(
  { track, gate }: TimedCircuit,
  fixes: readonly RacingFix[],
  laps: readonly TimedLap[],
): LinePass[] {
  return fixes.slice(1).flatMap((to, index) => {
    const from = fixes[index] as RacingFix
    const [before, after] = [track.plane.toPoint(from), track.plane.toPoint(to)]
    const beforeM = pastGateM(gate, before)
    const afterM = pastGateM(gate, after)
    if (beforeM >= 0 || afterM < 0) return []
    const share = beforeM / (beforeM - afterM)
    const besideM = besideGateM(gate, {
      eastM: before.eastM + (after.eastM - before.eastM) * share,
      northM: before.northM + (after.northM - before.northM) * share,
    })
    if (besideM > nearLineM) return []
    const gapMs = to.atMs - from.atMs
    const atMs = from.atMs + gapMs * share
    const accuracyM = Math.max(from.accuracyM ?? 0, to.accuracyM ?? 0) || null
    return { atMs, gapMs, besideM, accuracyM, speedMps: to.speedMps, lap: lapAt(laps, atMs) }
  })
}

function lapAt(laps: readonly TimedLap[], atMs: number): LinePass['lap'] {
  // A short lap has several crossings within that time. One that begins a lap also ends the lap before it.
  const crossings = laps.flatMap(({ number, startedAtMs, timeMs }) => [
    { number, isBegin: true, apartMs: Math.abs(startedAtMs - atMs) },
    { number, isBegin: false, apartMs: Math.abs(startedAtMs + timeMs - atMs) },
  ])
  const [nearest] = crossings.sort(
    (a, b) => a.apartMs - b.apartMs || Number(b.isBegin) - Number(a.isBegin),
  )
  if (!nearest || nearest.apartMs >= sameCrossingMs) return null
  return { number: nearest.number, isBegin: nearest.isBegin }
}
