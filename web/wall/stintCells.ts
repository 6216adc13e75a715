import { type CarStrategy, carStrategy } from '#racing/race/carStrategy.ts'
import { type FuelFigure, fuelFigure } from '#web/race/fuelFigure.ts'
import { hasStint } from '#web/race/hasStint.ts'
import { lapsToPitFigure } from '#web/race/lapsToPitFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { stintFigure } from '#web/race/stintFigures.ts'
import { fuelText } from '#web/text/fuel.ts'

/** A figure that asks for a decision now, such as the last lap before a stop, is drawn as a white plate. */
export interface Cell {
  readonly name: string
  readonly value: string
  /** In smaller type after the value. */
  readonly more?: string | undefined
  readonly warns: boolean
  /** Words instead of a figure. */
  readonly isWords?: boolean
}

export interface StintCells {
  readonly stint: Cell
  readonly pitIn: Cell
  /** `isMissing`: the litres of the last stop have to be entered. */
  readonly fuel: Cell & { readonly isMissing: boolean }
}

/** Returns stint, laps to pit and fuel of one car; null for a session without a car and a race. */
export function stintCells(race: CarRace, lapTiming: boolean, nowMs: number): StintCells | null {
  if (!hasStint(race)) return null
  const strategy = carStrategy(race, nowMs)
  return {
    stint: stintFigure(strategy),
    pitIn: pitInCell(strategy),
    fuel: fuelCell(fuelFigure(race, strategy, lapTiming)),
  }
}

function pitInCell(strategy: CarStrategy): Cell {
  const { value, unit, reason, isSoon } = lapsToPitFigure(strategy)
  // Beside the name it takes three lines on a phone.
  if (value === fuelText.unknown && reason !== null)
    return { name: fuelText.pitIn, value: reason, warns: false, isWords: true }
  return {
    name: reason === null ? fuelText.pitIn : fuelText.pitInFor(reason),
    value,
    ...(unit !== null && { more: unit }),
    warns: isSoon,
  }
}

function fuelCell(fuel: FuelFigure): StintCells['fuel'] {
  const { name, litres, plusMinus, isReserve, isMissing, isWords = false } = fuel
  const more = plusMinus !== null && { more: plusMinus }
  return { name, value: litres, ...more, warns: isReserve || isMissing, isMissing, isWords }
}
