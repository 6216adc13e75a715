import { minuteMs } from '#contract/shared/durations.ts'
import { pessimisticL } from '#racing/race/burn.ts'
import type { FewerStops, PlanSheet, StintEnd } from '#racing/race/planSheet.ts'
import type { PlanRequest } from '#racing/race/planTypes.ts'
import { pitExitText } from '#web/text/pitExit.ts'
import { planText } from '#web/text/plan.ts'
import { durationText } from './fieldTimes.ts'

/**
 * Names the limit that ends a stint, such as `2 h rule`. The plan makes stints equally long: one that is a lap or more
 * below the limit has `rule, up to 2 h` or `fuel, up to 47`.
 */
export function endText(
  end: StintEnd,
  { laps, ms }: { readonly laps: number | null; readonly ms: number },
): string {
  const { ends } = planText
  switch (end.by) {
    case 'fuel':
      return laps === null || laps >= end.laps ? ends.fuel : ends.fuelLasts(String(end.laps))
    case 'stint':
      return end.ms - ms < (laps ? ms / laps : minuteMs)
        ? ends.stint(durationText(end.ms))
        : ends.upToStint(durationText(end.ms))
    case 'driver':
      return ends.driver(durationText(end.ms))
    case 'rest':
      return ends.rest(durationText(end.ms))
    case 'stops':
      return ends.stops(String(end.count))
    case 'hand':
      return ends.hand
    case 'race':
      return ends.race
  }
}

/**
 * Returns the number of stints and stops of a plan, stops under the minimum, the limit that ends most of them, and a change that saves a stop.
 */
export function planSentence(
  { stints, stops, made, short, noStops, limit, burn, fewer }: PlanSheet,
  request: PlanRequest,
): { readonly count: string; readonly why: string } {
  const current = stints.find(({ state }) => state === 'now')
  const count = current
    ? planText.nowStint(String(current.number), String(stints.length))
    : planText.stintsAndStops(stints.length, stops)
  const fuel = stints.some(({ end }) => end?.by === 'fuel') && burn
  const why = [
    short > 0 && planText.shortStops(made, short),
    noStops > 0 && `${pitExitText.noStops(noStops)}.`,
    limit && limitSentence(limit, request),
    fuel && planText.burn(litres(pessimisticL(fuel)), litres(fuel.greenL), litres(fuel.plusMinusL)),
    fewer && fewerSentence(fewer),
  ]
  return { count, why: why.filter(Boolean).join(' ') }
}

function litres(value: number): string {
  return value.toFixed(2)
}

function limitSentence(limit: StintEnd, { rules, fuelMs }: PlanRequest): string {
  const { limits } = planText
  switch (limit.by) {
    case 'fuel':
      return rules.maxStintMs === null
        ? limits.fuel
        : limits.fuelFirst(durationText(rules.maxStintMs))
    case 'stint':
      return fuelMs === null
        ? limits.stint(durationText(limit.ms))
        : limits.stintFirst(durationText(limit.ms))
    case 'driver':
      return limits.driver(durationText(limit.ms))
    case 'rest':
      return limits.rest(durationText(limit.ms))
    case 'stops':
      return limits.stops(String(limit.count))
    case 'hand':
      return limits.hand
    case 'race':
      return ''
  }
}

function fewerSentence(fewer: FewerStops): string {
  return fewer.by === 'tank'
    ? planText.withTank(String(fewer.litres), fewer.stops)
    : planText.withStints(durationText(fewer.ms), fewer.stops)
}
