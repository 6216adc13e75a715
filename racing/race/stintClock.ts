import { countedMs, type RaceTimes } from './raceClock.ts'
import { type Visit, visitAt } from './stopClock.ts'

/** A person who drives. */
export interface Driver {
  /** The driver of the roster; null: the person who started the session, who is not in it. */
  readonly driverId: string | null
  readonly sessionId?: string | undefined
}

export function isSameDriver(one: Driver, other: Driver): boolean {
  return (
    one.driverId === other.driverId && (one.driverId !== null || one.sessionId === other.sessionId)
  )
}

/** The time in which one person drives one car, in milliseconds of the server's clock. */
export interface DrivenStint extends Driver {
  readonly from: number
  /** Null while it is driven. */
  readonly to: number | null
}

/** Limits of a series; null where it has none. */
export interface DrivingLimits {
  /** Longest time of a driver without a change. */
  readonly stintMs: number | null
  /** Longest time of a driver in the whole race. */
  readonly driverMs: number | null
}

export interface StintClock {
  readonly elapsedMs: number
  /** Time left until the limit of a stint, negative beyond it. Null without a limit. */
  readonly leftMs: number | null
  /** Time left of the driver's limit in the whole race, negative beyond it. Null without a limit. */
  readonly allowanceMs: number | null
}

/** A phone that starts in the pits may have its first position this late. */
export const firstPositionMs = 60_000

/**
 * Returns the stints of one session as they count: a driver change in the pits ends one where the car entered them, and
 * starts the next one where it leaves them. A driver who left or handed over there again has not driven, and neither has
 * one who handed over in the pits where the session began. The first driver stands on the grid when the race starts, before
 * the first position shows that the car drives.
 */
export function countedStints<T extends Pick<DrivenStint, 'from' | 'to'>>(
  stints: readonly T[],
  visits: readonly Visit[],
  nowMs: number,
  startedAt: number | null = null,
): T[] {
  // A visit in which the session ended stays open.
  const lastMs = Math.min(nowMs, stints.at(-1)?.to ?? nowMs)
  return stints.flatMap((stint, index) => {
    const began = index === 0 ? undefined : visitAt(visits, stint.from, lastMs)
    const ended = stint.to === null ? undefined : visitAt(visits, stint.to, lastMs)
    const stoodMs = startedAt === null || index > 0 ? 0 : stint.from - startedAt
    const isOnGrid = stoodMs > 0 && stoodMs < firstPositionMs
    const drivenFrom = isOnGrid ? stint.from - stoodMs : stint.from
    const from = began ? (began.endedAt ?? lastMs) : drivenFrom
    const to = ended ? ended.startedAt : stint.to
    const leastMs = index === 0 && ended ? firstPositionMs : 0
    return to === null || to - from > leastMs ? [{ ...stint, from, to }] : []
  })
}

/**
 * Returns the clock of the current stint, whose driver may have driven `others` in this race; null without a stint.
 * `stints` are the counted stints of one car, in order of time.
 */
export function stintClock(
  stints: readonly DrivenStint[],
  {
    others,
    race,
    limits,
    nowMs,
  }: {
    readonly others: readonly DrivenStint[]
    readonly race: RaceTimes | null
    readonly limits: DrivingLimits
    readonly nowMs: number
  },
): StintClock | null {
  const current = stints.at(-1)
  if (!current) return null
  const msOf = ({ from, to }: DrivenStint) => countedMs(race, from, Math.min(to ?? nowMs, nowMs))
  const elapsedMs = msOf(current)
  const drivenMs = [...others, ...stints]
    .filter(stint => isSameDriver(stint, current))
    .reduce((sum, stint) => sum + msOf(stint), 0)
  return {
    elapsedMs,
    leftMs: limits.stintMs === null ? null : limits.stintMs - elapsedMs,
    allowanceMs: limits.driverMs === null ? null : limits.driverMs - drivenMs,
  }
}
