import { leastOf } from '#contract/shared/extremes.ts'
import { type CarEntries, stintsOfCar } from './carPlan.ts'
import { inARowBefore } from './problems.ts'
import { countedMs, raceTimes } from './raceClock.ts'

/** Time of one driver in the whole race; without a race, in the session. */
export interface DriverTime {
  readonly drivenMs: number
  /** Driving time that the rules leave, negative beyond the limit; null without such a rule. */
  readonly leftMs: number | null
}

/**
 * Returns how long a driver has driven, and how long they may still drive: the lower of the limits in total and without
 * a rest. A null `driverId` is the person who started the session, if they are not in the roster.
 */
export function driverTime(
  entries: Pick<
    CarEntries,
    'stints' | 'starterId' | 'pitVisits' | 'otherStints' | 'takenOverAt' | 'race'
  >,
  driverId: string | null,
  nowMs: number,
): DriverTime {
  const { otherStints = [], race = null } = entries
  const times = race && raceTimes(race)
  const others = otherStints
    .filter(({ isSameCar }) => !isSameCar)
    .map(stint => ({ ...stint, isOwn: false }))
  const own = [...stintsOfCar(entries, [], nowMs), ...others]
    .filter(stint => stint.driverId === driverId)
    // A stint of another session without a driver cannot be assigned to anyone.
    .filter(stint => driverId !== null || stint.isOwn)
    .map(({ from, to }) => ({ fromMs: from, toMs: Math.min(to ?? nowMs, nowMs) }))
    .sort((a, b) => a.fromMs - b.fromMs)
  const msOf = (some: typeof own) =>
    some.reduce((sum, { fromMs, toMs }) => sum + countedMs(times, fromMs, toMs), 0)
  const drivenMs = msOf(own)
  const { maxDriverMs = null, inARow = null } = race?.rules ?? {}
  const left = [
    ...(maxDriverMs === null ? [] : [maxDriverMs - drivenMs]),
    ...(inARow ? [inARow.maxMs - msOf(inARowBefore(own, nowMs, inARow.restMs))] : []),
  ]
  return { drivenMs, leftMs: left.length > 0 ? leastOf(left) : null }
}
