import type { PreparedRace } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { planText } from '#web/text/plan.ts'

/** The answers about a race, stored or not. */
export type Draft = PreparedRace

/** A race of which nothing was answered. */
export const newDraft: Draft = {
  name: planText.newRace,
  length: null,
  startsAt: null,
  circuitId: null,
  rules: noRules,
  carIds: [],
}
