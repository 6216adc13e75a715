import { crossedLaps, type DrivenLap } from '../laps/drivenLap.ts'
import { hiddenLaps } from './hiddenLaps.ts'
import type { EarlierLaps } from './raceClock.ts'

/** The crossings of the line of one car. */
export interface CarCrossings {
  readonly id: string
  /** Laps of the race that the car completed in earlier sessions, with estimated ones. */
  readonly earlierLaps: number
  /** Times of crossings in milliseconds, in order. */
  readonly at: readonly number[]
  /** The last time at which it is not certain how many laps a gap in reception hid; null without one. */
  readonly uncertainAt: number | null
}

/** The distance to another car of the team: whole laps, or else time. */
export interface Gap {
  readonly id: string
  readonly laps: number
  /** When both had driven the same laps. */
  readonly timeMs: number
  /** False if it is estimated, because a gap in reception hid a number of laps of either car that is not certain. */
  readonly isCertain: boolean
}

export interface Gaps {
  /** The own car ahead of this one; null for the first, and while the gap is not known. */
  readonly ahead: Gap | null
  /** The own car behind this one; null for the last, and while the gap is not known. */
  readonly behind: Gap | null
}

interface Driven {
  readonly id: string
  readonly earlierLaps: number
  /** Crossings in this session that completed a lap of the race. */
  readonly at: readonly number[]
  /** Whether their number is certain. */
  readonly isCertain: boolean
}

/**
 * Returns the gaps between cars of one team in a race, by the laps they have completed since its start. Cars without a
 * lap have none. It needs no timing of the organiser, so other teams' cars are not included.
 */
export function gapsOf(cars: readonly CarCrossings[], startedAt: number): Map<string, Gaps> {
  const order = cars
    .map(
      ({ id, earlierLaps, at, uncertainAt }): Driven => ({
        id,
        earlierLaps,
        at: completedSince(at, startedAt),
        isCertain: uncertainAt === null || uncertainAt < startedAt,
      }),
    )
    .filter(({ at }) => at.length > 0)
    .sort(byProgress)
  return new Map(
    order.map((car, index) => {
      const [ahead, behind] = [order[index - 1], order[index + 1]]
      return [
        car.id,
        {
          ahead: ahead ? gap(ahead, car, ahead.id) : null,
          behind: behind ? gap(car, behind, behind.id) : null,
        },
      ]
    }),
  )
}

/**
 * Drops crossings before the race, and the one at its start: a rolling start crosses the line somewhat before or after
 * the start was entered, a standing one soon after it. Both are less than half a lap away.
 */
function completedSince(at: readonly number[], startedAt: number): readonly number[] {
  const halfLapMs = usualLapMs(at) / 2
  return at.filter(time => time > startedAt + halfLapMs)
}

/** The median time between crossings; 0 with fewer than two. */
function usualLapMs(at: readonly number[]): number {
  const times = at.slice(1).map((time, index) => time - (at[index] ?? time))
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
}

/** More laps first, then the earlier last crossing. */
function byProgress(a: Driven, b: Driven): number {
  return lapsOf(b) - lapsOf(a) || (a.at.at(-1) ?? 0) - (b.at.at(-1) ?? 0)
}

function lapsOf({ earlierLaps, at }: Driven): number {
  return earlierLaps + at.length
}

/**
 * The gap between two cars when the one behind completed its newest lap; null if the car ahead completed that lap before
 * its session began.
 */
function gap(ahead: Driven, behind: Driven, id: string): Gap | null {
  const count = lapsOf(behind)
  const now = behind.at.at(-1) ?? 0
  const driven = ahead.earlierLaps + ahead.at.filter(time => time <= now).length
  const laps = Math.max(0, driven - count)
  const aheadAt = ahead.at[count - ahead.earlierLaps - 1]
  if (laps === 0 && aheadAt === undefined) return null
  // Negative if the car ahead has overtaken since.
  const timeMs = Math.max(0, now - (aheadAt ?? now))
  return { id, laps, timeMs, isCertain: ahead.isCertain && behind.isCertain }
}

/** A lap with its number. */
interface NumberedLap extends DrivenLap {
  /** 0 before the first crossing. */
  readonly number: number
}

/** Returns the crossings of a car from its laps and visits to the pits, both in order of time. */
export function crossingsOf(
  id: string,
  laps: readonly NumberedLap[],
  visits: readonly { readonly startedAt: number; readonly endedAt: number | null }[],
  { earlierLaps = 0, uncertainLaps = 0, earlierEnd }: EarlierLaps = {},
): CarCrossings {
  const first = laps.find(({ number }) => number > 0)
  const ends = crossedLaps(laps).filter(({ number }) => number > 0)
  const hidden = hiddenLaps(laps, visits, earlierEnd)
  const at = [
    ...ends.map(({ startedAt, timeMs }) => startedAt + timeMs),
    ...hidden.flatMap(laps => laps.at),
  ]
  // A session that begins at the line has no crossing in between.
  const all = first ? [...new Set([first.startedAt, ...at])].sort((a, b) => a - b) : []
  const uncertainAt = hidden.findLast(({ isCertain }) => !isCertain)?.at.at(-1)
  // Laps of earlier sessions are of the race: their number is uncertain in all of this one.
  const uncertainFrom = uncertainLaps > 0 ? all[0] : undefined
  return {
    id,
    earlierLaps: earlierLaps + uncertainLaps,
    at: all,
    uncertainAt: uncertainAt ?? uncertainFrom ?? null,
  }
}
