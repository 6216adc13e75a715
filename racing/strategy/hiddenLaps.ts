import { type DrivenLap, endsBefore } from '../laps/drivenLap.ts'
import { comparedLaps, median } from './pace.ts'

/** A visit to the pits. */
interface Visit {
  readonly startedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
}

/** Laps in one gap in reception. */
export interface HiddenLaps {
  /** When the first of them began: the last crossing before the gap. */
  readonly fromMs: number
  /** Estimated times of the crossings of the line that the gap hid, in order. */
  readonly at: readonly number[]
  /** False if their number may be wrong, because the car was slow around the gap or at another pace than usual. */
  readonly isCertain: boolean
}

/** A certain number of laps differs from the one that fits in the time by at most this share of a lap. */
const certainShare = 0.25

/**
 * Returns the laps that gaps in reception hid, where a path was lost: as many as fit at the usual green pace between the
 * crossings around a gap, without visits to the pits. Slow laps count as too many rather than as too few, so that a car
 * pits early rather than late, but not as two that would both have been faster than the fastest green lap. Both lists are
 * in order of time.
 */
export function hiddenLaps(laps: readonly DrivenLap[], visits: readonly Visit[]): HiddenLaps[] {
  const green = comparedLaps(laps)
  if (green.length === 0) return []
  const times = green.map(({ timeMs }) => timeMs)
  const [lapMs, fastestMs] = [median(times), Math.min(...times)]
  return laps.flatMap((lap, index) => {
    const next = laps[index + 1]
    if (lap.kind !== 'incomplete' || !next || !endsBefore(lap, next)) return []
    const fromMs = lap.startedAt
    const isCounted = next.kind === 'out'
    const toMs = isCounted ? next.startedAt + next.timeMs : next.startedAt
    const stops = stopsIn(visits, fromMs, toMs)
    const drivenMs = stops.reduce((ms, stop) => ms - stop.timeMs, toMs - fromMs)
    const share = drivenMs / lapMs
    const usual = Math.max(1, Math.round(share))
    const isUsual = !lap.yellow && !next.yellow && Math.abs(share - usual) <= certainShare
    // Two laps in this time would have been faster than every other one.
    const count = isUsual || drivenMs >= 2 * fastestMs ? usual : 1
    const at = Array.from({ length: count }, (_, lapsBefore) =>
      withStops(fromMs + ((lapsBefore + 1) * drivenMs) / count, stops),
    )
    return [{ fromMs, at: isCounted ? at.slice(0, -1) : at, isCertain: isUsual || count === 1 }]
  })
}

/** Returns the parts of visits between two times. */
function stopsIn(visits: readonly Visit[], fromMs: number, toMs: number) {
  return visits
    .map(({ startedAt, endedAt }) => {
      const beganMs = Math.max(startedAt, fromMs)
      return { startedAt: beganMs, timeMs: Math.min(endedAt ?? toMs, toMs) - beganMs }
    })
    .filter(({ timeMs }) => timeMs > 0)
}

/** Returns the time at which a car that does not stop until `atMs` gets to the same place with these stops. */
function withStops(atMs: number, stops: ReturnType<typeof stopsIn>): number {
  return stops.reduce((ms, { startedAt, timeMs }) => (ms > startedAt ? ms + timeMs : ms), atMs)
}
