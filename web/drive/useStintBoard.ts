import { useMemo, useSyncExternalStore } from 'react'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { hasStint } from '#web/race/hasStint.ts'
import { raceFigure } from '#web/race/raceFigure.ts'
import { ReadingClock } from './readingClock.ts'
import { type StintBoard, stintBoard } from './stintBoard.ts'
import type { Gps } from './usePosition.ts'

/** The race of the session, and laps and visits as this phone knows them, also without a network. */
export interface DrivenStint {
  readonly entries: RaceOfSession
  readonly laps: readonly Lap[]
  readonly visits: readonly PitVisit[]
  readonly gps: Gps
}

/** True for a session with cars and drivers, whose stint is shown. */
export function showsStint(entries: RaceOfSession | undefined): entries is RaceOfSession {
  return entries !== undefined && hasStint(entries) && entries.stints.length > 0
}

/** Returns the driver's current stint figures, which change together with the readings; null without a stint. */
export function useStintBoard({ entries, laps, visits, gps }: DrivenStint): StintBoard | null {
  const { race, earlierLaps, earlierEnd } = entries
  const serverNow = useServerClock()
  const clock = useMemo(() => new ReadingClock(gps, serverNow), [gps, serverNow])
  const nowMs = useSyncExternalStore(clock.onChange, clock.now)
  return stintBoard(
    carStrategy({ ...entries, pitVisits: visits }, laps, nowMs),
    race?.startedAt ? raceFigure(race, { laps, visits, earlierLaps, earlierEnd }, nowMs) : null,
  )
}
