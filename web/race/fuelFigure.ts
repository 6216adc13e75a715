import { crossedLaps } from '#racing/laps/drivenLap.ts'
import type { CarRace } from '#racing/race/carRace.ts'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { enteredLevelL } from '#racing/race/fuel.ts'
import { fuelText } from '#web/text/fuel.ts'
import { hoursAndMinutes } from './timeOfDay.ts'

/** The fuel of a car, as it is shown to the team. */
export interface FuelFigure {
  readonly name: string
  readonly litres: string
  /** The ± of litres that are computed from laps, or that they rest on an assumed full tank; null for neither. */
  readonly more: string | null
  readonly isReserve: boolean
  /** True if the litres of the last stop have to be entered. */
  readonly isMissing: boolean
  /** True if the litres at the start have to be entered: a full tank is assumed. */
  readonly isAssumed: boolean
  /** True if words stand in place of the litres. */
  readonly isWords?: true
}

/**
 * Returns the fuel that is left. Until a lap is counted the burnt fuel is unknown: the figure is the level at the last
 * entry, with its time.
 */
export function fuelFigure(
  { car, fills, laps }: Pick<CarRace, 'car' | 'fills' | 'laps'>,
  { fuel, lacksLitres }: Pick<CarStrategy, 'fuel' | 'lacksLitres'>,
  lapTiming: boolean,
): FuelFigure {
  const uncounted = { more: null, isReserve: false, isMissing: false, isAssumed: false }
  const unknown = { name: fuelText.fuel, litres: fuelText.unknown, ...uncounted }
  if (!car) return unknown
  if (lacksLitres)
    return { ...uncounted, name: fuelText.isMissing, litres: fuelText.enter, isMissing: true }
  if (!lapTiming || crossedLaps(laps).length === 0) {
    // Before the first lap, litres that were added to a known level still give one.
    const enteredL = enteredLevelL(car, fills)
    const leftL = enteredL ?? (lapTiming && fuel ? fuel.leftL : null)
    if (leftL === null) return unknown
    const last = fills.findLast(({ kind }) => kind !== 'start')
    const at = last ? hoursAndMinutes(last.at) : fuelText.start
    const litres = litresText(leftL)
    if (enteredL === null && fuel?.isAssumed)
      return { ...unknown, litres, isAssumed: true, more: fuelText.assumed }
    return { ...uncounted, name: fuelText.fuelAt(at), litres }
  }
  if (!fuel) return unknown
  const { isAssumed } = fuel
  // A figure within its own error says nothing.
  if (fuel.plusMinusL > Math.max(0, fuel.leftL))
    return {
      name: fuelText.fuel,
      litres: fuelText.notKnown,
      ...uncounted,
      isAssumed,
      isWords: true,
    }
  const isReserve = car.reserveL !== null && fuel.leftL <= car.reserveL
  return {
    name: isReserve ? fuelText.reserve : fuelText.fuel,
    litres: litresText(fuel.leftL),
    more: isAssumed ? fuelText.assumed : fuelText.plusMinus(String(Math.ceil(fuel.plusMinusL))),
    isReserve,
    isMissing: false,
    isAssumed,
  }
}

function litresText(litres: number): string {
  return fuelText.litres(String(Math.round(litres)))
}
