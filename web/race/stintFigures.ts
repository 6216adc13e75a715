import type { CarRace } from '#racing/race/carRace.ts'
import { type CarStrategy, carStrategy } from '#racing/race/carStrategy.ts'
import { stopRule } from '#racing/race/rules.ts'
import { stopClock } from '#racing/race/stopClock.ts'
import { fuelText } from '#web/text/fuel.ts'
import { counterText } from './ages.ts'
import { type FuelFigure, fuelFigure } from './fuelFigure.ts'
import { hasStint } from './hasStint.ts'
import { lapTime } from './lapFigures.ts'
import { pitInOf } from './pitIn.ts'
import { stintLeft } from './stintLeft.ts'
import { stopFigure } from './stopFigure.ts'
import { signedTimeLeft } from './timeLeft.ts'

/** Figures of the stint line, as they are shown. */
export interface StintFigures {
  readonly stint: { readonly name: string; readonly time: string }
  /** Laps to pit; in the pits the clock of the stop. */
  readonly pit: { readonly name: string; readonly value: string }
  readonly fuel: FuelFigure
  /** The last lap; null before the first, and if laps are not timed. */
  readonly last: string | null
}

/** Returns the figures of the stint line; null for a session without a car and a race, which has no such line. */
export function stintFigures(
  race: CarRace,
  { lapTiming, gpsPoor }: { lapTiming: boolean; gpsPoor: boolean },
  nowMs: number,
): StintFigures | null {
  if (!hasStint(race)) return null
  const strategy = carStrategy(race, nowMs)
  const last = race.laps.findLast(({ kind }) => kind === 'full' || kind === 'pit')
  return {
    stint: stintOf(strategy),
    pit: stopOf(race, nowMs) ?? pitInFigure(strategy),
    fuel: fuelFigure(race, strategy, lapTiming),
    last: last ? (last.isSeen ? lapTime(last.timeMs, gpsPoor) : fuelText.unknown) : null,
  }
}

function stintOf({ stint }: CarStrategy): StintFigures['stint'] {
  if (!stint) return { name: fuelText.stint, time: fuelText.unknown }
  const limit = stintLeft(stint)
  if (!limit) return { name: fuelText.stint, time: counterText(stint.elapsedMs) }
  const name = limit.isDriver ? fuelText.driverLeft : fuelText.stintLeft
  return { name, time: signedTimeLeft(limit.leftMs) }
}

/** The clock of the pit stop: time until DONE or, without a minimum, since pit-in. Null outside the pits. */
function stopOf(
  { visits, race }: Pick<CarRace, 'visits' | 'race'>,
  nowMs: number,
): StintFigures['pit'] | null {
  const stop = stopClock(visits, race && stopRule(race.rules, true), nowMs)
  if (!stop) return null
  const { inPits, doneIn, isDone } = stopFigure(stop, nowMs)
  if (isDone) return { name: fuelText.inPits, value: fuelText.done }
  if (doneIn === null) return { name: fuelText.inPits, value: inPits }
  return { name: fuelText.doneIn, value: doneIn }
}

function pitInFigure(strategy: CarStrategy): StintFigures['pit'] {
  const { value, unit, reason } = pitInOf(strategy)
  return {
    name: reason === null ? fuelText.pitIn : fuelText.pitInFor(reason),
    value: unit === null ? value : `${value} ${unit}`,
  }
}
