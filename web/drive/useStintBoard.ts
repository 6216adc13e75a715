import { useMemo, useSyncExternalStore } from 'react'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { hasStint } from '#web/race/hasStint.ts'
import { raceFigure } from '#web/race/raceFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { ReadingClock } from './readingClock.ts'
import { type StintBoard, stintBoard } from './stintBoard.ts'
import type { Gps } from './usePosition.ts'

/** The race of the car as this phone knows it, also without a network. */
export interface DrivenStint {
  readonly race: CarRace
  readonly gps: Gps
}

/** True for a session with cars and drivers, whose stint is shown. */
export function showsStint(race: CarRace | undefined): race is CarRace {
  return race !== undefined && hasStint(race) && race.stints.length > 0
}

/** Returns the driver's current stint figures, which change together with the readings; null without a stint. */
export function useStintBoard({ race, gps }: DrivenStint): StintBoard | null {
  const serverNow = useServerClock()
  const clock = useMemo(() => new ReadingClock(gps, serverNow), [gps, serverNow])
  const nowMs = useSyncExternalStore(clock.onChange, clock.now)
  const isStarted = race.race?.startedAt != null
  const isOver = hasFinished(race)
  const figure = isStarted ? raceFigure(race, nowMs) : null
  const isWaiting = race.race !== null && !isStarted
  const phase = isOver ? 'over' : isWaiting ? 'waiting' : 'running'
  return stintBoard(carStrategy(race, nowMs), figure, phase)
}
