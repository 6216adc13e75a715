import type { Race } from '#contract/races.ts'
import type { OfficialTiming, Standing } from '#contract/timing.ts'
import { requiredStops } from '#racing/race/rules.ts'
import { type AfterOwedStops, afterOwedStops } from '#racing/timing/owedStops.ts'
import type { StopsOwed } from './Standings.tsx'

/** Returns the cars of a run after their owed stops; null if the rules demand no stops, and after the race. */
export function stopsOwed(
  { rules, length, endedAt }: Pick<Race, 'rules' | 'length' | 'endedAt'>,
  run: NonNullable<OfficialTiming['run']>,
): StopsOwed | null {
  const required = requiredStops(rules, length?.in === 'time' ? length.ms : null)
  if (required === 0 || endedAt !== null) return null
  const after = new Map<Standing, AfterOwedStops>()
  for (const [index, each] of afterOwedStops(run, required).entries()) {
    const car = run.standings[index]
    if (car) after.set(car, each)
  }
  return { required, after }
}
