import type { Race } from '#contract/races.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import type { Plan } from '#racing/race/plan.ts'
import type { BrokenLimit, LaidStint, PlanRequest } from '#racing/race/planTypes.ts'
import { driverAt } from '#web/race/driverAt.ts'
import { lettersOf } from '#web/race/driverName.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { planText } from '#web/text/plan.ts'
import { rosterText } from '#web/text/roster.ts'
import { durationText } from './fieldTimes.ts'

/** Data that the parts of the page show. */
export interface ShownPlan {
  readonly race: CarRace
  readonly plan: Plan
  readonly request: PlanRequest
}

/** Returns the name of a stint's driver: the person who started the session until somebody is named. */
export function plannedDriverName(
  { race }: Pick<ShownPlan, 'race'>,
  { driver, state, fromMs }: LaidStint,
): string {
  if (driver === null && state !== 'next' && race.race?.startedAt != null)
    return driverAt(race, timeAt(race.race, fromMs))
  return race.drivers.find(({ id }) => id === driver)?.name ?? rosterText.notChosen
}

/** Returns the name that the three letters of a stint's driver are taken from. */
export function plateOf(shown: Pick<ShownPlan, 'race'>, stint: LaidStint): string {
  return lettersOf(plannedDriverName(shown, stint))
}

/** Formats a time of the race as the time of day; while no start is planned as time since the start. */
export function raceTime({ race }: Pick<CarRace, 'race'>, ms: number): string {
  if (race?.startedAt != null) return hoursAndMinutes(timeAt(race, ms))
  return race?.startsAt == null ? durationText(ms) : hoursAndMinutes(race.startsAt + ms)
}

/** Returns the time at which this much of a race had passed, without its pauses. */
function timeAt({ startedAt, pauses }: Race, ms: number): number {
  return pauses.reduce(
    (at, { from, to }) => (to === null || from > at ? at : at + Math.max(0, to - from)),
    (startedAt ?? 0) + ms,
  )
}

export function wholeMinutes({ fromMs, toMs }: Pick<LaidStint, 'fromMs' | 'toMs'>): string {
  return String(Math.round((toMs - fromMs) / minuteMs))
}

/** Describes by how much a stint exceeds its limits. */
export function brokenText(broken: readonly BrokenLimit[], number: number): string[] {
  return broken.flatMap(limit => {
    if (!('number' in limit) || limit.number !== number) return []
    const stepMs = limit.overMs < 10 * minuteMs ? 1000 : minuteMs
    const overMs = Math.ceil(limit.overMs / stepMs) * stepMs
    return [planText.over[limit.kind](durationText(overMs))]
  })
}
