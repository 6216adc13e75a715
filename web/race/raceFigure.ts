import { dayMs } from '#contract/shared/durations.ts'
import { raceClock, raceTimes } from '#racing/race/raceClock.ts'
import { raceLaps } from '#racing/race/raceLaps.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { counterText, minutesAndSeconds } from '#web/ui/ages.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import type { CarRace } from './shownCarRace.ts'
import { hoursAndMinutes } from './timeOfDay.ts'

/** The race clock as it is shown, the same on every screen. */
export interface RaceFigure {
  readonly label: string
  readonly value: string
}

/** Returns the time to go, or the lap of a race over a number of laps; before it the start; null without a race. */
export function raceFigure(
  carRace: Pick<CarRace, 'race' | 'laps'>,
  nowMs: number,
): RaceFigure | null {
  const { race } = carRace
  if (!race) return null
  const times = raceTimes(race)
  const { state, elapsedMs, leftMs } = raceClock(times, nowMs)
  const { startsAt } = race
  if (state === 'prepared' && startsAt !== null && startsAt > nowMs && startsAt < nowMs + dayMs)
    return { label: raceClockText.starts, value: hoursAndMinutes(startsAt) }
  if (state === 'prepared')
    return { label: raceClockText.race, value: raceClockText.notStartedText }
  const elapsed = counterText(elapsedMs)
  // "Race over" is often pressed late.
  const racedMs = Math.min(elapsedMs, times.lengthMs ?? elapsedMs)
  if (state === 'over') return { label: raceClockText.over, value: counterText(racedMs) }
  const { length } = race
  const value =
    leftMs !== null
      ? minutesAndSeconds(Math.ceil(leftMs / 1000))
      : length?.in === 'laps' && carRace.laps.length > 0
        ? raceClockText.lapOf(
            wholeNumber(Math.min(length.laps, raceLaps(carRace) + 1)),
            wholeNumber(length.laps),
          )
        : elapsed
  if (state === 'paused') return { label: raceClockText.paused, value }
  if (leftMs !== null)
    return { label: leftMs > 0 ? raceClockText.toGo : raceClockText.timeUp, value }
  return { label: value === elapsed ? raceClockText.elapsed : raceClockText.lap, value }
}
