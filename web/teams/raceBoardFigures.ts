import type { Car } from '#contract/roster.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import { lapsToPitFigure } from '#web/race/lapsToPitFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'

interface KnownCar {
  readonly car: Pick<Car, 'number'>
  readonly race: CarRace
}

/**
 * Returns who starts in each car of a prepared race, by its plan. The order of the team's drivers says it only for a
 * single car.
 */
export function firstDrivers(cars: readonly KnownCar[]): { number: string; name: string }[] {
  return cars.flatMap(({ car: { number }, race }) => {
    const { plan, drivers } = race
    const able = drivers.filter(({ archived }) => !archived)
    const byHand = plan?.stints.find(stint => stint.number === 1)?.driverId
    const first =
      able.find(({ id }) => id === byHand) ??
      able.find(({ id }) => id === plan?.driverIds[0]) ??
      (cars.length === 1 ? able[0] : undefined)
    return first ? [{ number, name: first.name }] : []
  })
}

/** When a car stops next, and why. */
export interface NextStop {
  readonly number: string
  readonly value: string
  readonly reason: string
}

/** Returns the next stops of the cars, as the wall shows them, the soonest first. Cars without a stop to come are left out. */
export function nextStops(cars: readonly KnownCar[], nowMs: number): NextStop[] {
  return cars
    .filter(({ race }) => !hasFinished(race))
    .flatMap(({ car: { number }, race }) => {
      const strategy = carStrategy(race, nowMs)
      const { lapsToPit, limitLeftMs, lacksLitres } = strategy
      const { when, value, unit, reason, isToEnd } = lapsToPitFigure(strategy)
      if (reason === null || isToEnd || (when === 'unknown' && !lacksLitres)) return []
      const lapMs = recentPlan(race, nowMs)?.request.lapMs ?? null
      const leftMs = lapsToPit !== null && lapMs !== null ? lapsToPit * lapMs : (limitLeftMs ?? 0)
      return { number, leftMs, value: unit === null ? value : `${value} ${unit}`, reason }
    })
    .toSorted((a, b) => a.leftMs - b.leftMs)
}
