import type { RaceOfSession } from '#contract/stints.ts'
import { crossedLaps, type DrivenLap } from '#racing/laps/drivenLap.ts'
import { enteredLevelL, type Fuel, hasLaps } from '#racing/race/fuel.ts'
import { fuelText } from '#web/text/fuel.ts'

/** The fuel of a car, as it is shown to the team. */
export interface FuelFigure {
  readonly name: string
  readonly litres: string
  /** Null if the figure is not computed from laps. */
  readonly plusMinus: string | null
  readonly isReserve: boolean
}

interface Counted {
  readonly laps: readonly DrivenLap[]
  readonly lapTiming: boolean
}

/**
 * Returns the fuel that is left. Until a lap is counted, also in an earlier session of the race, the burnt fuel is
 * unknown: the figure is the level at the last entry, with its time.
 */
export function fuelFigure(
  { car, fills, earlierFuel }: Pick<RaceOfSession, 'car' | 'fills' | 'earlierFuel'>,
  fuel: Fuel | null,
  { laps, lapTiming }: Counted,
): FuelFigure {
  const uncounted = { plusMinus: null, isReserve: false }
  const unknown = { name: fuelText.fuel, litres: fuelText.unknown, ...uncounted }
  if (!car) return unknown
  // A start or a full tank in this session replaces the level of the earlier one.
  const isContinued = earlierFuel && fills.every(({ kind }) => kind === 'part')
  const isCounted =
    crossedLaps(laps).length > 0 || (fuel !== null && isContinued && hasLaps(earlierFuel))
  if (!lapTiming || !isCounted) {
    // Before the first lap, litres that were added to a known level still give one.
    const leftL = enteredLevelL(car, fills) ?? (lapTiming && fuel ? fuel.leftL : null)
    if (leftL === null) return unknown
    const last = fills.findLast(({ kind }) => kind !== 'start')
    const at = last ? hoursAndMinutes(last.at) : fuelText.start
    return { ...uncounted, name: fuelText.fuelAt(at), litres: litresOf(leftL) }
  }
  if (!fuel) return unknown
  const isReserve = car.reserveL !== null && fuel.leftL <= car.reserveL
  return {
    name: isReserve ? fuelText.reserve : fuelText.fuel,
    litres: litresOf(fuel.leftL),
    plusMinus: fuelText.plusMinus(String(Math.ceil(fuel.plusMinusL))),
    isReserve,
  }
}

function litresOf(litres: number): string {
  return fuelText.litres(String(Math.round(litres)))
}

function hoursAndMinutes(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map(part => String(part).padStart(2, '0')).join(':')
}
