import type { Car } from '#contract/roster.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { planSheet } from '#racing/race/planSheet.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { planText } from '#web/text/plan.ts'
import { teamsText } from '#web/text/teams.ts'

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

/** Returns the next stops of the cars, the soonest first. Cars without a stop to come are left out. */
export function nextStops(cars: readonly KnownCar[], nowMs: number): NextStop[] {
  return cars
    .flatMap(({ car: { number }, race }) => {
      const planned = recentPlan(race, nowMs)
      const sheet = planned && planSheet(race, planned)
      const current = sheet?.stints.find(({ state }) => state === 'now')
      const { lapsToPit, limitLeftMs } = carStrategy(race, nowMs)
      if (lapsToPit === null && limitLeftMs === null) return []
      if (current?.end?.by === 'race') return []
      const lapMs = planned?.request.lapMs ?? null
      const leftMs = lapsToPit !== null && lapMs !== null ? lapsToPit * lapMs : (limitLeftMs ?? 0)
      const minutes = Math.max(0, Math.floor(leftMs / 60_000))
      return { number, minutes, reason: reasonOf(current?.end?.by) }
    })
    .toSorted((a, b) => a.minutes - b.minutes)
    .map(({ number, minutes, reason }) => ({
      number,
      value: planText.minutes(String(minutes)),
      reason,
    }))
}

function reasonOf(by: string | undefined): string {
  if (by === 'fuel') return teamsText.stopReasons.fuel
  if (by === 'driver' || by === 'row') return teamsText.stopReasons.driver
  return by === 'stint' ? teamsText.stopReasons.stint : teamsText.stopReasons.plan
}
