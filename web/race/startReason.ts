import type { Race } from '#contract/races.ts'
import { planText } from '#web/text/plan.ts'

/** Says why a race cannot start now; null if it can. */
export function startReason({ id, length }: Race, races: readonly Race[]): string | null {
  const running = races.find(race => race.startedAt !== null && race.endedAt === null)
  if (running && running.id !== id) return planText.otherRuns(running.name)
  return length === null ? planText.startNeedsLength : null
}
