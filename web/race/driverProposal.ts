import { hasFinished } from '#racing/race/raceResult.ts'
import { atPitEntry, planOfStop } from '#racing/race/recentPlan.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { isInStop } from './isInStop.ts'
import type { CarRace } from './shownCarRace.ts'

/** A driver change that screens propose while the car is in the pits, and the planned one until the next stop. */
export interface DriverProposal {
  /** When the car entered the pits. Identifies the stop. */
  readonly stopAt: number
  /** The planned driver; null without a plan. */
  readonly plannedId: string | null
  /** When the change was made, of a stop that the car has left; absent in the pits. */
  readonly from?: number
}

/**
 * Returns the driver change to propose; null before a stop, after a change in it, if nobody else can drive, if the plan
 * lets the same driver continue, and after the race. After the exit only a planned change is proposed.
 */
export function driverProposal(race: CarRace, nowMs: number): DriverProposal | null {
  const visit = race.visits.at(-1)
  if (!visit || hasFinished(race)) return null
  const current = race.stints.at(-1)?.driverId ?? null
  if (!race.drivers.some(({ id, archived }) => !archived && id !== current)) return null
  if (race.stints.some(({ from, number }) => number > 1 && from >= visit.startedAt)) return null
  if (!isInStop(race)) return ofLeftStop(race, visit)
  const planned = plannedDriver(race, nowMs)
  if (planned && planned.id === current) return null
  return { stopAt: visit.startedAt, plannedId: planned?.id ?? null }
}

/** Returns the change that the plan had for a stop of the race that the car has left. */
function ofLeftStop(race: CarRace, { startedAt, stoppedAt }: Visit): DriverProposal | null {
  const raceAt = race.race?.startedAt ?? null
  if (stoppedAt === null || raceAt === null || startedAt < raceAt) return null
  const planned = plannedDriver(atPitEntry(race), startedAt)
  if (!planned || planned.id === (race.stints.at(-1)?.driverId ?? null)) return null
  return { stopAt: startedAt, plannedId: planned.id, from: stoppedAt }
}

/** Returns the driver of the next stint of the plan, and its number; null without a plan. */
export function plannedDriver(
  race: Parameters<typeof planOfStop>[0],
  nowMs: number,
): { readonly id: string; readonly stint: number } | null {
  const next = planOfStop(race, nowMs)?.plan.stints.find(({ state }) => state === 'next')
  // An archived driver cannot be chosen.
  const driver = race.drivers.find(({ id, archived }) => id === next?.driver && !archived)
  return driver && next ? { id: driver.id, stint: next.number } : null
}
