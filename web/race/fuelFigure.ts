import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { pessimisticL } from '#racing/race/burn.ts'
import type { CarRace } from '#racing/race/carRace.ts'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { enteredLevelL, type Fuel } from '#racing/race/fuel.ts'
import { reserveOf } from '#racing/race/lapsToPit.ts'
import { fuelText } from '#web/text/fuel.ts'
import { hoursAndMinutes } from './timeOfDay.ts'

/** The fuel of a car, as it is shown to the team. */
export interface FuelFigure {
  readonly name: string
  readonly litres: string
  /** The ± of litres that are computed from laps, or that they rest on an assumed full tank; null for neither. */
  readonly more: string | null
  /** True within the reserve, which is at least a lap as for laps to pit: a warning. */
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
  const isReserve = fuel.leftL <= reserveOf(car.reserveL, pessimisticL(fuel.burn))
  const name = isReserve ? fuelText.reserve : fuelText.fuel
  const counted = { ...uncounted, name, isReserve, isAssumed }
  // A level below its own error is not shown, but a tank that is expected to run dry stays a warning.
  if (fuel.plusMinusL > fuel.leftL)
    return { ...counted, litres: isReserve ? mostText(fuel) : fuelText.notKnown, isWords: true }
  return {
    ...counted,
    litres: litresText(fuel.leftL),
    more: isAssumed ? fuelText.assumed : fuelText.plusMinus(String(Math.ceil(fuel.plusMinusL))),
  }
}

function mostText({ mostLeftL }: Fuel): string {
  return fuelText.under(String(Math.max(1, Math.ceil(mostLeftL))))
}

function litresText(litres: number): string {
  return fuelText.litres(String(Math.round(litres)))
}
