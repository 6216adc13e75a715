import type { CarRace } from '#racing/race/carRace.ts'
import { type CarStrategy, carStrategy } from '#racing/race/carStrategy.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import { finishedAt, hasFinished } from '#racing/race/raceResult.ts'
import { fuelText } from '#web/text/fuel.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { counterText } from '#web/ui/ages.ts'
import { type FuelFigure, fuelFigure } from './fuelFigure.ts'
import { hasStint } from './hasStint.ts'
import { lastLap } from './lapFigures.ts'
import { lapsToPitFigure, missingStops } from './lapsToPitFigure.ts'
import { lastLapFigure } from './lastLapFigure.ts'
import { stintLeft } from './stintLeft.ts'
import { stopFigure } from './stopFigure.ts'
import { signedTimeLeft } from './timeLeft.ts'

/** A figure that asks for a decision, such as a stint beyond its limit, is drawn as a white plate. */
export interface StintFigure {
  readonly name: string
  readonly value: string
  readonly warns: boolean
}

/** Figures of the stint line, as they are shown. */
export interface StintFigures {
  readonly stint: StintFigure
  /** Laps to pit; in the pits the clock of the stop. */
  readonly pit: StintFigure
  readonly fuel: FuelFigure
  /** The last lap; null before the first, and if laps are not timed. */
  readonly last: { readonly name: string; readonly value: string } | null
}

/** Returns the figures of the stint line; null for a session without a car and a race, which has no such line. */
export function stintFigures(
  race: CarRace,
  { lapTiming, gpsPoor }: { lapTiming: boolean; gpsPoor: boolean },
  nowMs: number,
): StintFigures | null {
  if (!hasStint(race)) return null
  const strategy = carStrategy(race, nowMs)
  const last = lastLap(race.laps)
  return {
    stint: stintFigure(strategy),
    pit: stopOf(race, nowMs) ?? pitInFigure(race, strategy),
    fuel: fuelFigure(race, strategy, lapTiming),
    last: last && lastLapFigure(last, gpsPoor),
  }
}

/** Returns the figure of the current stint; words while its driver is not known. */
export function stintFigure({ stint, asksDriver }: CarStrategy): Cell {
  if (asksDriver)
    return { name: fuelText.stint, value: fuelText.asksDriver, warns: false, isWords: true }
  const limit = stint && stintLeft(stint)
  if (!limit) {
    const value = stint ? counterText(stint.elapsedMs) : fuelText.unknown
    return { name: fuelText.stint, value, warns: false }
  }
  const { leftMs, isDriver } = limit
  const name = isDriver ? fuelText.driverLeft : fuelText.stintLeft
  return { name, value: signedTimeLeft(leftMs), warns: leftMs < 0 }
}

/** Returns the figures that warn, the most urgent first, at the end the litres of a stop that have to be entered. */
export function dueFigures({ pit, stint, fuel }: StintFigures) {
  const { name, litres, isReserve, isMissing } = fuel
  const left = { name, value: litres, warns: isReserve || isMissing, isMissing }
  return [pit, stint, left].filter(({ warns }) => warns)
}

/** The clock of the pit stop: time until DONE or, without a minimum, since pit-in. Null outside the pits. */
function stopOf(race: CarRace, nowMs: number): StintFigures['pit'] | null {
  const stop = currentStop(race, nowMs)
  if (!stop) return null
  const { inPits, isDone, rest } = stopFigure(stop, nowMs)
  if (!rest) return { name: fuelText.inPits, value: inPits, warns: false }
  const { name, value } = isDone ? { ...rest, name: fuelText.inPits } : rest
  return { name, value, warns: false }
}

function pitInFigure(race: CarRace, strategy: CarStrategy): StintFigures['pit'] {
  const { name, value, more, warns } = pitInCell(race, strategy)
  return { name, value: more === undefined ? value : `${value} ${more}`, warns }
}

/** The same as the wall shows it. */
export interface Cell extends StintFigure {
  /** In smaller type after the value. */
  readonly more?: string | undefined
  /** Words instead of a figure. */
  readonly isWords?: boolean
}

/**
 * Returns laps to pit, as each screen of the team shows them. After them: that the car has finished its race or, without
 * a finish of its own, that the race is over.
 */
export function pitInCell(race: CarRace, strategy: CarStrategy): Cell {
  if (hasFinished(race)) {
    const { race: name, finished, isOver } = raceClockText
    const value = finishedAt(race) === null ? isOver : finished
    return { name: missingStops(strategy) ?? name, value, warns: false, isWords: true }
  }
  const { value, unit, reason, isSoon } = lapsToPitFigure(strategy)
  // Beside the name it takes three lines on a phone.
  if (value === fuelText.unknown && reason !== null) {
    const name = reason === fuelText.lastLap ? raceClockText.race : fuelText.pitIn
    return { name, value: reason, warns: false, isWords: true }
  }
  return {
    name: reason === null ? fuelText.pitIn : fuelText.pitInFor(reason),
    value,
    ...(unit !== null && { more: unit }),
    // Before the start nothing has to be done about it.
    warns: isSoon && race.race?.startedAt !== null,
  }
}
