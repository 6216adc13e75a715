import { paceOf } from '#racing/race/pace.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { planText } from '#web/text/plan.ts'

/** Says which lap time the plan reckons with, and where it is from. */
export function lapSource({ laps, plan }: Pick<CarRace, 'laps' | 'plan'>): string {
  const pace = paceOf(laps)
  if (pace) return planText.lapDriven(lapTime(pace.medianMs), String(laps.length))
  return plan?.lapMs == null ? planText.lapUnknown : planText.lapEntered
}
