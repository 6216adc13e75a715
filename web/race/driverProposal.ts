import { driverQuestion, nextDriver, type PlannedDriver } from '#racing/race/driverQuestion.ts'
import { planOfStop } from '#racing/race/recentPlan.ts'
import { isInStop } from './isInStop.ts'
import type { CarRace } from './shownCarRace.ts'

/** A driver change that screens propose in the pits, and the planned one until it is answered. */
export interface DriverProposal {
  /** When the car entered the pits. Identifies the stop. */
  readonly stopAt: number
  /** The planned driver; null without a plan. */
  readonly plannedId: string | null
  /** When the change was made, of a stop that the car has left; absent for the stop in which it is. */
  readonly from?: number
}

/**
 * Returns the driver change to propose; null before a stop, after a change in it, if nobody else can drive, if the plan
 * lets the same driver continue, and after the race. After the exit only a planned change is proposed (`driverQuestion`).
 */
export function driverProposal(race: CarRace, nowMs: number): DriverProposal | null {
  const visit = race.visits.at(-1)
  if (!visit) return null
  const question = driverQuestion(race)
  if (question)
    return { stopAt: question.stopAt, plannedId: question.planned.id, from: question.from }
  if (!isInStop(race)) return null
  const current = race.stints.at(-1)?.driverId ?? null
  if (!race.drivers.some(({ id, archived }) => !archived && id !== current)) return null
  if (race.stints.some(({ from, number }) => number > 1 && from >= visit.startedAt)) return null
  const planned = plannedDriver(race, nowMs)
  if (planned && planned.id === current) return null
  return { stopAt: visit.startedAt, plannedId: planned?.id ?? null }
}

/** Returns the driver of the next stint of the plan, and its number; null without a plan. */
export function plannedDriver(race: CarRace, nowMs: number): PlannedDriver | null {
  return nextDriver(planOfStop(race, nowMs), race)
}
