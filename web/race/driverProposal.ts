import { planOfStop } from '#racing/race/recentPlan.ts'
import { isInStop } from './isInStop.ts'
import type { CarRace } from './shownCarRace.ts'

/** A driver change that screens propose while the car is in the pits. */
export interface DriverProposal {
  /** When the car entered the pits. Identifies the stop. */
  readonly stopAt: number
  /** The planned driver; null without a plan. */
  readonly plannedId: string | null
}

/**
 * Returns the driver change to propose; null outside the pits, after a change in the same visit, if nobody else can
 * drive, if the plan lets the same driver continue, and after the race.
 */
export function driverProposal(race: CarRace, nowMs: number): DriverProposal | null {
  const visit = race.visits.at(-1)
  if (!visit || !isInStop(race)) return null
  const current = race.stints.at(-1)?.driverId ?? null
  if (!race.drivers.some(({ id, archived }) => !archived && id !== current)) return null
  if (race.stints.some(({ from, number }) => number > 1 && from >= visit.startedAt)) return null
  const planned = plannedDriver(race, nowMs)
  if (planned && planned.id === current) return null
  return { stopAt: visit.startedAt, plannedId: planned?.id ?? null }
}

/** Returns the driver of the next stint of the plan, and its number; null without a plan. */
export function plannedDriver(
  race: CarRace,
  nowMs: number,
): { readonly id: string; readonly stint: number } | null {
  const next = planOfStop(race, nowMs)?.plan.stints.find(({ state }) => state === 'next')
  // An archived driver cannot be chosen.
  const driver = race.drivers.find(({ id, archived }) => id === next?.driver && !archived)
  return driver && next ? { id: driver.id, stint: next.number } : null
}
