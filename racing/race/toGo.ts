/** The rest of a race, in time or in laps. Null without a race, before its start, or for the other kind. */
export interface RaceLeft {
  readonly leftMs: number | null
  readonly laps: number | null
}

export interface ToGo {
  /** Laps from the last crossing of the line to the finish. */
  readonly laps: number
  /** Stops that fuel, stints or rules need until then. */
  readonly stops: number
}

/** Laps that the car can drive before fuel or stint end. */
export interface Range {
  /** With a full tank and a whole stint; null if nothing limits them. */
  readonly fullLaps: number | null
  /** From the last crossing of the line on; null if nothing limits them. */
  readonly leftLaps: number | null
}

/** The lap count and the stops depend on each other: each stop shortens the race. It settles within these rounds. */
const rounds = 5

/**
 * Returns the laps to go: ⌈remaining / T⌉ from the last crossing of the line, where the planned stops take their time
 * from the race (TinyPedal, issue 161: a stop shortens a timed race). `lapMs` is the usual lap. A leader who finishes
 * before the clock would add one lap, which only a timing feed can show. Null without a race.
 */
export function toGo(
  race: RaceLeft,
  range: Range,
  lap: {
    readonly lapMs: number
    readonly elapsedMs: number | null
    readonly stopLossMs: number
    readonly mandatoryStops: number
  },
): ToGo | null {
  const { leftMs } = race
  if (leftMs === null) return race.laps === null ? null : withStops(Math.max(0, race.laps))
  let result = withStops(lapsWith(0))
  for (let round = 0; round < rounds; round++) {
    const next = withStops(lapsWith(result.stops))
    // One stop more may shorten the race so that it is not needed: keep it.
    if (next.stops <= result.stops) return { laps: next.laps, stops: result.stops }
    result = next
  }
  return result

  function lapsWith(stops: number): number {
    // A car in the pits, or behind a safety car, is still in one lap.
    const inLapMs = Math.min(lap.elapsedMs ?? 0, lap.lapMs)
    const remainingMs = (leftMs ?? 0) + inLapMs - stops * lap.stopLossMs
    // The lap in which the time runs out is finished.
    return Math.max(leftMs === 0 ? 0 : 1, Math.ceil(remainingMs / lap.lapMs))
  }

  function withStops(laps: number): ToGo {
    // In its last lap a car makes no required stop.
    const mandatory = laps > 1 ? lap.mandatoryStops : 0
    return { laps, stops: Math.max(mandatory, stopsFor(laps, range)) }
  }
}

/** Returns ⌈(laps to go − laps left) / laps of a full tank⌉. */
export function stopsFor(lapsToGo: number, { fullLaps, leftLaps }: Range): number {
  if (leftLaps === null || lapsToGo <= leftLaps) return 0
  return fullLaps === null || fullLaps <= 0 ? 1 : Math.ceil((lapsToGo - leftLaps) / fullLaps)
}

/** The laps in which the next stop can be made without adding another one, as crossings before the pit entry. */
export interface PitWindow {
  readonly from: number
  readonly to: number
}

/** Returns the pit window: open from the lap on after which the remaining stops last to the finish. Null without a stop. */
export function pitWindow(
  { laps, stops }: ToGo,
  { fullLaps }: Range,
  latest: number,
): PitWindow | null {
  if (stops === 0) return null
  // Each later stop needs a lap as well.
  const to = Math.min(latest, Math.max(0, laps - stops))
  if (fullLaps === null) return { from: 0, to }
  return { from: Math.min(to, Math.max(0, laps - 1 - stops * fullLaps)), to }
}
