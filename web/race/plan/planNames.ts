import type { RaceOfSession } from '#contract/stints.ts'
import type { Plan } from '#racing/race/plan.ts'
import type { LaidStint, PlanProblem, PlanRequest } from '#racing/race/planTypes.ts'
import { lastWord } from '#web/race/driverName.ts'
import { planText } from '#web/text/plan.ts'
import { hoursText } from './fieldTimes.ts'

/** Data that the parts of the page show. */
export interface ShownPlan {
  readonly race: RaceOfSession
  readonly plan: Plan
  readonly request: PlanRequest
  /** Name of the person who started the session; null while it is loading. */
  readonly starter: string | null
}

const minuteMs = 60_000
const timeFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** Returns the name of a stint's driver: the person who started the session until somebody is named. */
export function driverName(
  { race, starter }: Pick<ShownPlan, 'race' | 'starter'>,
  { driver, state }: LaidStint,
): string {
  if (driver === null && state !== 'next' && starter !== null) return starter
  return nameOf(race, driver)
}

function nameOf({ drivers }: RaceOfSession, driver: string | null): string {
  return drivers.find(({ id }) => id === driver)?.name ?? planText.nobody
}

/** Returns the name that the three letters of a stint's driver are taken from. */
export function plateOf(shown: Pick<ShownPlan, 'race' | 'starter'>, stint: LaidStint): string {
  const name = driverName(shown, stint)
  return name === planText.nobody ? '---' : lastWord(name)
}

/** Formats a time of the race as the time of day, or before the start as time since the start. */
export function raceTime({ race }: RaceOfSession, ms: number): string {
  if (!race || race.startedAt === null) return hoursText(ms)
  const pausedMs = race.pauses.reduce(
    (sum, { from, to }) => (to === null ? sum : sum + Math.max(0, to - from)),
    0,
  )
  return timeFormat.format(race.startedAt + ms + pausedMs)
}

export function wholeMinutes({ fromMs, toMs }: Pick<LaidStint, 'fromMs' | 'toMs'>): string {
  return String(Math.round((toMs - fromMs) / minuteMs))
}

/** Describes by how much a stint exceeds its limits. */
export function problemsText(problems: readonly PlanProblem[], number: number): string[] {
  return problems.flatMap(problem => {
    if (!('number' in problem) || problem.number !== number) return []
    return [planText.over[problem.kind](String(Math.ceil(problem.overMs / minuteMs)))]
  })
}
