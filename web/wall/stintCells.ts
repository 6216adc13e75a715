import { carStrategy } from '#racing/race/carStrategy.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import { type FuelFigure, fuelFigure } from '#web/race/fuelFigure.ts'
import { hasStint } from '#web/race/hasStint.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { type Cell, pitInCell, stintFigure } from '#web/race/stintFigures.ts'

export interface StintCells {
  readonly stint: Cell
  readonly pitIn: Cell
  /** `isMissing`: the litres of the last stop have to be entered; `isAssumed`: those at the start. */
  readonly fuel: Cell & { readonly isMissing: boolean; readonly isAssumed: boolean }
}

/**
 * Returns stint, laps to pit and fuel of one car; null for a session without a car and a race. Outdated laps to pit and
 * fuel ask for nothing, but the litres of a stop, and once the car has finished its fuel asks for nothing.
 */
export function stintCells(
  race: CarRace,
  { lapTiming, isOutdated }: { lapTiming: boolean; isOutdated: boolean },
  nowMs: number,
): StintCells | null {
  if (!hasStint(race)) return null
  const strategy = carStrategy(race, nowMs)
  const pitIn = pitInCell(race, strategy)
  const fuel = fuelCell(fuelFigure(race, strategy, lapTiming))
  return {
    stint: stintFigure(strategy),
    pitIn: { ...pitIn, warns: pitIn.warns && !isOutdated },
    fuel: {
      ...fuel,
      warns: fuel.warns && (!isOutdated || fuel.isMissing) && !hasFinished(race),
    },
  }
}

function fuelCell(fuel: FuelFigure): StintCells['fuel'] {
  const { litres: value, more, isReserve, isWords = false, ...rest } = fuel
  const warns = isReserve || rest.isMissing
  return { ...rest, value, ...(more !== null && { more }), warns, isWords }
}
