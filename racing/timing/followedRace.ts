import { maxPauses, maxRaceMs, minRaceMs } from '#contract/shared/raceRules.ts'
import { raceClock, raceTimes, type StoredRace } from '../race/raceClock.ts'
import { clockCorrection, leastMs, type OfficialClock } from './clockCorrection.ts'

/** A clock that shows one time for this long, while its lines arrive, has stopped. */
const stoppedAfterMs = 3000

/** From this difference on race control has changed the length of the race. A smaller one is an error of the start. */
const leastExtensionMs = 60_000

/** The part of a race that follows race control's clock. */
export type FollowedRace = Pick<StoredRace, 'startedAt' | 'pauses' | 'length'>

/** Race control's clock, with the time for which it had not changed when the feed last showed it. */
export interface RunningClock extends OfficialClock {
  readonly stillForMs: number
}

/**
 * Returns a race that follows race control's clock: paused while that is stopped, longer or shorter when it jumps. Null if
 * nothing changes. Without a current clock (null) a paused race is resumed. `isFirst` is the confirmation, at which any
 * difference is an error of the start.
 */
export function followedRace(
  race: StoredRace,
  official: RunningClock | null,
  { nowMs, isFirst }: { nowMs: number; isFirst: boolean },
): FollowedRace | null {
  const { length, startedAt, endedAt } = race
  if (startedAt === null || endedAt !== null || length === null) return null
  if (length.in === 'laps') {
    const correction = official && clockCorrection(race, official, nowMs)
    if (correction?.kind !== 'laps') return null
    return { ...race, length: { in: 'laps', laps: correction.theirs } }
  }
  // Once the time is up the clock is that of the next run. Sources send a zero between two runs, and in a race over laps.
  const isUp = !isFirst && raceClock(raceTimes(race), nowMs).leftMs === 0
  const toGoMs = (!isUp && official?.timeToGoMs) || null
  const isStill = official !== null && toGoMs !== null && official.stillForMs >= stoppedAfterMs
  const stillSince = isStill ? nowMs - official.ageMs - official.stillForMs : null
  const paused = { ...race, pauses: pausesOf(race, stillSince, nowMs) }
  const isPaused = paused.pauses !== race.pauses
  if (official === null || toGoMs === null) return isPaused ? paused : null
  const { elapsedMs } = raceClock(raceTimes(paused), nowMs)
  // The clock shows whole seconds, rounded down: half a second more is the best estimate.
  const leftMs = toGoMs + 500 - (isStill ? 0 : official.ageMs)
  const byMs = leftMs - (length.ms - elapsedMs)
  // The clock may have just stopped: the difference is known once `stoppedAfterMs` is over, or the clock runs. The
  // confirmation does not wait, since a later difference would count as an extension.
  const isUnclear = !isFirst && !isStill && official.stillForMs > 0
  if (isUnclear || leftMs <= 0 || Math.abs(byMs) < leastMs) return isPaused ? paused : null
  const corrected = Math.round(startedAt + byMs)
  const isExtension = !isFirst && Math.abs(byMs) >= leastExtensionMs
  if (!isExtension && corrected < nowMs + leastExtensionMs)
    return { ...paused, startedAt: Math.min(corrected, nowMs) }
  const ms = length.ms + Math.round(byMs / 1000) * 1000
  if (ms < minRaceMs || ms > maxRaceMs) return isPaused ? paused : null
  return { ...paused, length: { in: 'time', ms } }
}

/** Returns the pauses of a race whose clock is stopped since a time; null while it runs. The same list if nothing changes. */
function pausesOf(
  { pauses, startedAt }: StoredRace,
  stillSince: number | null,
  nowMs: number,
): StoredRace['pauses'] {
  const last = pauses.at(-1)
  const isOpen = last?.to === null
  if (stillSince === null) {
    if (!isOpen) return pauses
    return [...pauses.slice(0, -1), { from: last.from, to: Math.max(last.from, nowMs) }]
  }
  if (isOpen) return pauses
  // The clock has been stopped since before the last pause ended, as while the feed was silent.
  if (last && last.to !== null && stillSince <= last.to)
    return [...pauses.slice(0, -1), { from: last.from, to: null }]
  if (pauses.length >= maxPauses) return pauses
  return [...pauses, { from: Math.max(stillSince, startedAt ?? stillSince), to: null }]
}
