import type { DrivenLap } from '../laps/drivenLap.ts'
import { type CarEntries, carPlan, type LaidPlan } from './carPlan.ts'

/** A plan is laid out again at this interval, because its later stints shift with the driven time. */
const planEveryMs = 5000
/** Before the start only corrected laps change it. */
const planBeforeStartEveryMs = 60_000

/**
 * The last plan of each car, by its stints: screens ask every second for several cars, and a plan that cannot keep all
 * limits takes long to lay out.
 */
const recent = new WeakMap<object, { inputs: readonly unknown[]; planned: LaidPlan | null }>()

/** Returns the plan of a car as it was laid out last, unless something has changed since. */
export function recentPlan(
  entries: CarEntries,
  laps: readonly DrivenLap[],
  nowMs: number,
): LaidPlan | null {
  const { race, plan, stints, fills, car, drivers, pitVisits = [] } = entries
  const { otherStints, takenOverAt, earlierUses, earlierFuel, earlierEnd } = entries
  const everyMs = race?.startedAt === null ? planBeforeStartEveryMs : planEveryMs
  const planMs = Math.floor(nowMs / everyMs) * everyMs
  // A phone makes new lists of its laps and visits all the time.
  const driven = [laps.length, laps.at(-1)?.startedAt, pitVisits.length, pitVisits.at(-1)?.endedAt]
  const fuel = [car, fills, earlierUses, earlierFuel, earlierEnd]
  const inputs = [planMs, race, plan, drivers, otherStints, takenOverAt, ...fuel, ...driven]
  const last = recent.get(stints)
  if (last && inputs.every((input, index) => input === last.inputs[index])) return last.planned
  const planned = carPlan(entries, laps, planMs)
  recent.set(stints, { inputs, planned })
  return planned
}
