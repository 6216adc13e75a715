import { useSyncExternalStore } from 'react'
import type { LapTable } from '#contract/laps.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { onSecond } from '#web/live/useSecond.ts'
import { type ExitFigure, exitFigure } from './exitFigure.ts'
import type { CarRace } from './shownCarRace.ts'

/** A stop that was too short, or none, is shown for this long. */
const exitShownMs = 60_000

/** True if no pit-out line is known, so that the end of a stop is an estimate. */
export function isAbout(table: LapTable | undefined): boolean {
  return table?.circuit?.knowsPitOut !== true
}

export interface Exit extends ExitFigure {
  /** When the car left the pits. */
  readonly at: number
}

/** Returns what the team must know of the last visit to the pits, for a minute after it: Left 0:10 early. Null otherwise. */
export function useExit(race: CarRace | undefined, table: LapTable | undefined): Exit | null {
  const now = useServerClock()
  const visit = race?.visits.at(-1)
  const at = visit?.endedAt ?? null
  const isNew = useSyncExternalStore(onSecond, () => at !== null && now() - at < exitShownMs)
  if (!race?.race || !visit || at === null || !isNew) return null
  const figure = exitFigure(race, visit, isAbout(table))
  return figure && { ...figure, at }
}
