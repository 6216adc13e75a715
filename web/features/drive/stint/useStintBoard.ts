import type { PitVisit } from '#contract/races/pitVisits.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import { carStrategy } from '#racing/strategy/carStrategy.ts'
import { raceFigure } from '#web/clocks/raceFigure.ts'
import { clockTickMs, useServerNow } from '#web/clocks/useServerNow.ts'
import { hasStint } from '#web/stints/hasStint.ts'
import { type StintBoard, stintBoard } from './stintBoard.ts'
import { useDrivenRace } from './useDrivenRace.ts'

/** Laps and visits as this phone knows them, also without a network. */
interface Driven {
  readonly laps: readonly Lap[]
  readonly visits: readonly PitVisit[]
}

/** Returns the driver's stint figures, once a second; null for a session without cars and drivers. */
export function useStintBoard(sessionId: string, { laps, visits }: Driven): StintBoard | null {
  const { race: entries } = useDrivenRace(sessionId)
  const nowMs = useServerNow(clockTickMs)
  if (!entries || !hasStint(entries)) return null
  const { race } = entries
  return stintBoard(
    carStrategy({ ...entries, pitVisits: visits }, laps, nowMs),
    race?.startedAt ? raceFigure(race, laps, nowMs) : null,
  )
}
