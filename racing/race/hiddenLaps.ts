import { leastOf } from '#contract/shared/extremes.ts'
import { certainShare, type DrivenLap, endsBefore, isOverGap } from '../laps/drivenLap.ts'
import { comparedTimes, median } from './pace.ts'
import { isRaceLap, type RaceTimes, type StoredRace } from './raceClock.ts'

/** A time in which a car does not drive. */
export interface Stop {
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
  /**
   * False if their number may be wrong: the last crossing was not seen, or the car was slow around the gap, at another pace
   * than usual, or in an unknown stop.
   */
  readonly isCertain: boolean
}

/** A lap may take this share of the fastest one of a car. */
const fasterShare = 0.98

/** Returns the times at which a car did not drive: its visits to the pits, and the pauses of its race. */
export function stopsOf({
  race,
  visits,
}: {
  readonly race: Pick<RaceTimes, 'pauses'> | null
  readonly visits: readonly Stop[]
}): Stop[] {
  const pauses = (race?.pauses ?? []).map(({ from, to }) => ({ startedAt: from, endedAt: to }))
  const stops: Stop[] = []
  for (const stop of [...visits, ...pauses].sort((a, b) => a.startedAt - b.startedAt)) {
    const before = stops.at(-1)
    if (!before || (before.endedAt !== null && before.endedAt < stop.startedAt)) stops.push(stop)
    else if (before.endedAt !== null && (stop.endedAt === null || stop.endedAt > before.endedAt))
      stops[stops.length - 1] = { startedAt: before.startedAt, endedAt: stop.endedAt }
  }
  return stops
}

/**
 * Returns the laps that gaps in reception hid, where a path was lost: as many as fit at the usual green pace between the
 * crossings around a gap, without the stops; before the first green lap at `plannedMs`, the lap time of the plan, and
 * without one at that of the yellow laps, which is not certain. Slow laps count as too many rather than as too few, so that
 * a car pits early rather than late, but not as two that would both have been much faster than the fastest green lap. Both
 * lists are in order of time, and stops do not overlap.
 */
export function hiddenLaps(
  laps: readonly DrivenLap[],
  stops: readonly Stop[],
  plannedMs: number | null = null,
): HiddenLaps[] {
  const green = comparedTimes(laps)
  const paceMs = median(green) || plannedMs
  const lapMs = paceMs || median(comparedTimes(laps.map(lap => ({ ...lap, yellow: false }))))
  if (!lapMs) return []
  const fastestMs = Math.min(lapMs, leastOf(green))
  return laps.flatMap((lap, index) => {
    const last = isOverGap(lap) ? lap : laps[index + 1]
    if (lap.kind !== 'incomplete' || !last || (last !== lap && !endsBefore(lap, last))) return []
    const fromMs = lap.startedAt
    const isCounted = last === lap || last.kind === 'out'
    const toMs = isCounted ? last.startedAt + last.timeMs : last.startedAt
    const within = stopsIn(stops, fromMs, toMs)
    const drivenMs = within.reduce((ms, stop) => ms - stop.timeMs, toMs - fromMs)
    const share = drivenMs / lapMs
    const usual = Math.max(1, Math.round(share))
    const isBeginSeen = last === lap ? laps[index - 1]?.isSeen !== false : lap.isSeen
    const isUsual =
      Boolean(paceMs) &&
      isBeginSeen &&
      !lap.yellow &&
      !last.yellow &&
      Math.abs(share - usual) <= certainShare
    // Two laps in this time would have been much faster than every other one.
    const count = isUsual || drivenMs >= 2 * fasterShare * fastestMs ? usual : 1
    const at = Array.from({ length: count }, (_, lapsBefore) =>
      withStops(fromMs + ((lapsBefore + 1) * drivenMs) / count, within),
    )
    return [{ fromMs, at: isCounted ? at.slice(0, -1) : at, isCertain: count === 1 || isUsual }]
  })
}

/** Returns the ends of the hidden laps of a race, in order of time. Those whose number is not certain do not count. */
export function hiddenRaceLaps(
  hidden: readonly HiddenLaps[],
  race: StoredRace & { readonly finishShownAt?: number | undefined },
): number[] {
  return hidden.flatMap(({ fromMs, at, isCertain }) =>
    isCertain ? at.filter((endsAt, index) => isRaceLap(race, at[index - 1] ?? fromMs, endsAt)) : [],
  )
}

/** Returns the parts of stops between two times. */
function stopsIn(stops: readonly Stop[], fromMs: number, toMs: number) {
  return stops
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
