import { paceOf } from '#racing/race/pace.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { planText } from '#web/text/plan.ts'

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })

/** Returns a sentence on the usual lap of the plan and its source. `usual` is the team's lap on the chosen circuit. */
export function lapSource(
  { laps, plan }: Pick<CarRace, 'laps' | 'plan'>,
  usual: { readonly timeMs: number; readonly laps: number; readonly at: number } | null,
): string {
  const pace = paceOf(laps)
  if (pace) return planText.lapDriven(lapTime(pace.medianMs), String(laps.length))
  if (usual && plan?.lapMs === usual.timeMs)
    return planText.lapOnCircuit(lapTime(usual.timeMs), usual.laps, day.format(usual.at))
  return plan?.lapMs == null ? planText.lapUnknown : planText.lapEntered
}
