import { leastOf } from '#contract/shared/extremes.ts'
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

/** The last crossing of a car in an earlier session, from which its laps go on. */
export interface EarlierEnd {
  /** Without the time of known stops and pauses of the race since then. */
  readonly crossedAt: number
  /** The usual green lap then; null if it is not known. */
  readonly lapMs: number | null
  /** False if the car may have stopped or have been slow since then. */
  readonly isCertain: boolean
}

/** A certain number of laps differs from the one that fits in the time by at most this share of a lap. */
const certainShare = 0.25

/**
 * Returns the laps that gaps in reception hid, where a path was lost: as many as fit at the usual green pace between the
 * crossings around a gap, without visits to the pits. Slow laps count as too many rather than as too few, so that a car
 * pits early rather than late, but not as two that would both have been faster than the fastest green lap. Both lists are
 * in order of time. With `earlierEnd` the time since an earlier session is a gap, too.
 */
export function hiddenLaps(
  laps: readonly DrivenLap[],
  visits: readonly Visit[],
  earlierEnd?: EarlierEnd,
): HiddenLaps[] {
  const green = comparedLaps(laps).map(({ timeMs }) => timeMs)
  const lapMs = green.length > 0 ? median(green) : earlierEnd?.lapMs
  if (!lapMs) return []
  const fastestMs = Math.min(lapMs, leastOf(green))
  const parts = earlierEnd ? withEarlier(laps, earlierEnd) : laps
  return parts.flatMap((lap, index) => {
    const next = parts[index + 1]
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
    const mayBeCertain = index > 0 || earlierEnd === undefined || earlierEnd.isCertain
    const isCertain = count === 1 || (isUsual && mayBeCertain)
    return [{ fromMs, at: isCounted ? at.slice(0, -1) : at, isCertain }]
  })
}

/** Returns the laps of a session from its first crossing, after the part of a lap that the earlier session began. */
function withEarlier(laps: readonly DrivenLap[], { crossedAt }: EarlierEnd): DrivenLap[] {
  const first = laps.findIndex(({ kind }) => kind !== 'incomplete')
  if (first === -1) return []
  const part = { startedAt: crossedAt, timeMs: 0, kind: 'incomplete', isSeen: true } as const
  return [{ ...part, yellow: false }, ...laps.slice(first)]
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
