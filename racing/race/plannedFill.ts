import type { CarRace } from './carRace.ts'
import { fuelOf } from './fuel.ts'
import { fuelForLaps } from './lapsToPit.ts'
import { isBeforeChange, planOfStop, recentPlan } from './recentPlan.ts'

/** Litres that the current stop, or the last one, needs. */
export interface PlannedFill {
  readonly litres: number
  /** Half the 95 % interval of what goes in; null if the plan wants less than a full tank. */
  readonly plusMinusL: number | null
  readonly kind: 'full' | 'part'
}

/**
 * Returns what the plan puts into the tank at a stop: what it has lost, and at the last stop of a race no more than the
 * rest of it needs. Null if the level, the burn or the size of the tank is not known, and if the tank is full.
 */
export function plannedFill(carRace: CarRace, nowMs: number): PlannedFill | null {
  const { car, visits } = carRace
  const visit = visits.at(-1)
  const atMs = visit?.leftAt ?? visit?.endedAt ?? nowMs
  const fuel = fuelOf(carRace, atMs)
  if (!car || car.tankL === null || !fuel) return null
  const lostL = Math.round(car.tankL - fuel.leftL)
  if (lostL <= 1) return null
  const full = { litres: lostL, plusMinusL: Math.ceil(fuel.plusMinusL), kind: 'full' } as const
  const restLaps = lapsAfterLastStop(carRace, nowMs)
  if (restLaps === null) return full
  const neededL = Math.ceil(fuelForLaps(restLaps, fuel.burn, car.reserveL) - fuel.leftL)
  if (neededL >= lostL) return full
  return { litres: Math.max(0, neededL), plusMinusL: null, kind: 'part' }
}

/** Returns the laps until the end of the race; null without a plan, and if it has another stop. */
function lapsAfterLastStop(carRace: CarRace, nowMs: number) {
  const request = recentPlan(carRace, nowMs)?.request
  const stints = planOfStop(carRace, nowMs)?.plan.stints
  if (!request || !stints || request.lapMs === null || carRace.race?.startedAt == null) return null
  const next = stints.filter(({ state }) => state === 'next').length
  // Until the driver has changed, this stop is the next one of the plan.
  if (next - (isBeforeChange(carRace) ? 1 : 0) > 0) return null
  return Math.max(0, Math.ceil((request.raceMs - request.nowMs) / request.lapMs))
}
