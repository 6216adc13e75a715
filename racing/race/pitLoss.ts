import { type DrivenLap, follows } from '../laps/drivenLap.ts'
import { comparedTimes, median } from './pace.ts'

interface Visit {
  readonly startedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
}

/** Time that a stop costs. */
export interface PitLoss {
  readonly greenMs: number
  /** Under yellow, when the others are slow as well; null before the first yellow lap. */
  readonly yellowMs: number | null
  /** Measured stops. */
  readonly stops: number
}

/**
 * Returns the time that the usual stop of this session costs: from pit-in to pit-out, minus the time that the same
 * distance takes on the circuit. Under yellow the second term grows, so the loss shrinks. Null before the first whole stop.
 */
export function pitLoss(laps: readonly DrivenLap[], visits: readonly Visit[]): PitLoss | null {
  const green = comparedTimes(laps)
  if (green.length === 0) return null
  const lapMs = median(green)
  const stops = visits.flatMap(({ startedAt, endedAt }) => {
    if (endedAt === null) return []
    const lossMs = lossOf(laps, { startedAt, endedAt }, lapMs)
    // The rest of the time in the lane is what its distance takes on the circuit.
    return lossMs === null
      ? []
      : [{ lossMs, distanceMs: Math.max(0, endedAt - startedAt - lossMs) }]
  })
  if (stops.length === 0) return null
  const greenMs = median(stops.map(({ lossMs }) => lossMs))
  const yellow = laps.filter(({ kind, isSeen, yellow }) => kind === 'full' && isSeen && yellow)
  if (yellow.length === 0) return { greenMs, yellowMs: null, stops: stops.length }
  const slower = Math.max(1, median(yellow.map(({ timeMs }) => timeMs)) / lapMs)
  const distanceMs = median(stops.map(stop => stop.distanceMs))
  return {
    greenMs,
    yellowMs: Math.max(0, greenMs - distanceMs * (slower - 1)),
    stops: stops.length,
  }
}

/** Returns by how much the laps with a visit were longer than usual ones; null if they were yellow or are not whole. */
function lossOf(
  laps: readonly DrivenLap[],
  visit: { startedAt: number; endedAt: number },
  lapMs: number,
): number | null {
  const touched = laps.filter(
    ({ startedAt, timeMs }) => startedAt < visit.endedAt && startedAt + timeMs > visit.startedAt,
  )
  const first = touched[0]
  const last = touched.at(-1)
  if (!first || !last || touched.some(({ yellow, isSeen }) => yellow || !isSeen)) return null
  const startsAtLine = first.kind === 'in' || first.kind === 'pit'
  const endsAtLine = last.kind === 'out' || last.kind === 'pit'
  if (!startsAtLine || !endsAtLine) return null
  const usualLaps = touched.length === 1 ? 1 : meetsAtLine(touched) ? touched.length : 1
  return last.startedAt + last.timeMs - first.startedAt - usualLaps * lapMs
}

/** True if the laps follow each other without a gap: the line is beside the pit lane, and each is a whole lap. */
function meetsAtLine(laps: readonly DrivenLap[]): boolean {
  return laps.every((lap, index) => index === laps.length - 1 || follows(laps[index + 1], lap))
}
