import type { PitVisit } from '#contract/races/pitVisits.ts'
import type { RaceOfSession } from '#contract/races/stints.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import { carStrategy } from '#racing/strategy/carStrategy.ts'
import { raceFigure } from '#web/clocks/raceFigure.ts'
import { useServerFigure } from '#web/clocks/useServerNow.ts'
import { hasStint } from '#web/stints/hasStint.ts'
import { type StintBoard, stintBoard } from './stintBoard.ts'

/** The race of the session, and laps and visits as this phone knows them, also without a network. */
export interface DrivenStint {
  readonly entries: RaceOfSession
  readonly laps: readonly Lap[]
  readonly visits: readonly PitVisit[]
}

/** True for a session with cars and drivers, whose stint is shown. */
export function showsStint(entries: RaceOfSession | undefined): entries is RaceOfSession {
  return entries !== undefined && hasStint(entries) && entries.stints.length > 0
}

/** Returns the driver's current stint figures; null without a stint. */
export function useStintBoard({ entries, laps, visits }: DrivenStint): StintBoard | null {
  const { race } = entries
  return useServerFigure(nowMs =>
    stintBoard(
      carStrategy({ ...entries, pitVisits: visits }, laps, nowMs),
      race?.startedAt ? raceFigure(race, laps, nowMs) : null,
    ),
  )
}
