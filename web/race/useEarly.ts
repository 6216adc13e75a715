import { useSyncExternalStore } from 'react'
import type { LapTable } from '#contract/laps.ts'
import { ruleOfVisit } from '#racing/race/currentStop.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { onSecond } from '#web/live/useSecond.ts'
import { type EarlyFigure, earlyFigure } from './earlyFigure.ts'
import type { CarRace } from './shownCarRace.ts'

/** A stop that was too short is shown for this long. */
const earlyShownMs = 60_000

/** True if no pit-out line is known, so that the end of a stop is an estimate. */
export function isAbout(table: LapTable | undefined): boolean {
  return table?.circuit?.knowsPitOut !== true
}

export interface Early extends EarlyFigure {
  /** When the car left the pits. */
  readonly at: number
}

/** Returns by how much the last stop was too short, for a minute after it: Left 0:10 early. Null otherwise. */
export function useEarly(race: CarRace | undefined, table: LapTable | undefined): Early | null {
  const now = useServerClock()
  const visit = race?.visits.at(-1)
  const at = visit?.endedAt ?? null
  const isNew = useSyncExternalStore(onSecond, () => at !== null && now() - at < earlyShownMs)
  if (!race?.race || !visit || at === null || !isNew) return null
  const figure = earlyFigure(visit, ruleOfVisit(race, visit), isAbout(table))
  return figure && { ...figure, at }
}
