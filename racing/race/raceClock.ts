/** The times of a race. All times are milliseconds of the server's clock. */
export interface RaceTimes {
  /** Null if the length is a number of laps, or not known. */
  readonly lengthMs: number | null
  /** Null before the start. */
  readonly startedAt: number | null
  /** In order of time; the last one has no end while the clock is paused. */
  readonly pauses: readonly { readonly from: number; readonly to: number | null }[]
  /** Null until somebody reports that the race is over. */
  readonly endedAt: number | null
}

export interface StoredRace extends Omit<RaceTimes, 'lengthMs'> {
  readonly length:
    | { readonly in: 'time'; readonly ms: number }
    | { readonly in: 'laps'; readonly laps: number }
    /** Not known before the start. */
    | null
}

export function raceTimes({ length, startedAt, pauses, endedAt }: StoredRace): RaceTimes {
  return { lengthMs: length?.in === 'time' ? length.ms : null, startedAt, pauses, endedAt }
}

export interface RaceClock {
  readonly state: 'prepared' | 'running' | 'paused' | 'over'
  /** Race time since the start, without pauses. */
  readonly elapsedMs: number
  /** Time left, 0 from the end on; null if the length is not a time. */
  readonly leftMs: number | null
}

/** The clock runs through red flags: only the team pauses it. */
export function raceClock(race: RaceTimes, nowMs: number): RaceClock {
  const elapsedMs = raceMsAt(race, nowMs)
  const leftMs = race.lengthMs === null ? null : Math.max(0, race.lengthMs - elapsedMs)
  return { state: stateOf(race), elapsedMs, leftMs }
}

function stateOf({ startedAt, pauses, endedAt }: RaceTimes): RaceClock['state'] {
  if (endedAt !== null) return 'over'
  if (startedAt === null) return 'prepared'
  return pauses.at(-1)?.to === null ? 'paused' : 'running'
}

/** Returns the race time at a moment: 0 before the start, and the final time after the end. */
export function raceMsAt({ startedAt, pauses, endedAt }: RaceTimes, atMs: number): number {
  if (startedAt === null) return 0
  const untilMs = Math.min(atMs, endedAt ?? atMs)
  const pausedMs = pauses.reduce((sum, { from, to }) => {
    // A corrected start may be after a pause.
    const beganMs = Math.max(from, startedAt)
    return sum + Math.max(0, Math.min(to ?? untilMs, untilMs) - beganMs)
  }, 0)
  return Math.max(0, untilMs - startedAt - pausedMs)
}

/** Returns how much of a time is race time; all of it without a race. */
export function countedMs(race: RaceTimes | null, fromMs: number, toMs: number): number {
  if (!race) return Math.max(0, toMs - fromMs)
  return Math.max(0, raceMsAt(race, toMs) - raceMsAt(race, fromMs))
}

/** Returns when the time of a race is up; infinity without one, before its start, and during a pause. */
function timeUpAt({ lengthMs, startedAt, pauses }: RaceTimes): number {
  if (lengthMs === null || startedAt === null) return Number.POSITIVE_INFINITY
  return pauses.reduce((upAt, { from, to }) => {
    const beganMs = Math.max(from, startedAt)
    return beganMs < upAt ? upAt + Math.max(0, (to ?? Number.POSITIVE_INFINITY) - beganMs) : upAt
  }, startedAt + lengthMs)
}

/**
 * A lap that began this long before "Race started" belongs to the race, and one that began this long before "Race over"
 * or the official finish does not, if most of it was driven afterwards: nobody presses at the line.
 */
const pressToleranceMs = 10_000

/**
 * Returns whether a lap is one of the race. A car finishes the lap that it is on when the official finish is shown, or
 * else when the time is up or "Race over" was pressed, so that the beginning of a lap decides.
 */
export function isRaceLap(
  race: StoredRace & { readonly finishShownAt?: number | undefined },
  fromMs: number,
  toMs: number,
): boolean {
  const { startedAt, endedAt, finishShownAt } = race
  if (startedAt === null) return false
  const toleranceMs = Math.min(pressToleranceMs, (toMs - fromMs) / 2)
  if (fromMs < startedAt - toleranceMs) return false
  if (fromMs > (finishShownAt ?? endedAt ?? Number.POSITIVE_INFINITY) - toleranceMs) return false
  return finishShownAt !== undefined || fromMs < timeUpAt(raceTimes(race))
}
