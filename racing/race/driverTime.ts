import { leastOf } from '#contract/shared/extremes.ts'
import { inARowBefore } from './brokenLimits.ts'
import type { CarRace } from './carRace.ts'
import { stintsOf } from './carStints.ts'
import { countedMs } from './raceClock.ts'
import { type RacedCar, timesOfCar } from './raceResult.ts'
import { isSameDriver } from './stintClock.ts'

/** Time of one driver in the whole race; without a race, in the session. */
export interface DriverTime {
  readonly drivenMs: number
  /** Driving time that the rules leave, negative beyond the limit; null without such a rule. */
  readonly leftMs: number | null
}

/**
 * Returns how long a driver has driven, in all cars, and how long they may still drive: the lower of the limits in total
 * and without a rest. A null `driverId` is the person who started `sessionId`, who is not in the roster.
 */
export function driverTime(
  carRace: RacedCar & Pick<CarRace, 'stints' | 'otherCars'>,
  driverId: string | null,
  nowMs: number,
  sessionId?: string,
): DriverTime {
  const { otherCars, race } = carRace
  const times = race && timesOfCar(race, carRace)
  const driver = { driverId, sessionId }
  const own = [...stintsOf(carRace, nowMs), ...otherCars]
    .filter(stint => isSameDriver(stint, driver))
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
