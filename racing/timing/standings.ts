import type { Gap } from '#contract/shared/timingRules.ts'
import type { Crossing } from './carHistory.ts'
import type { RunCar } from './run.ts'
import { type CarStops, carStopsOf, stopLossesOf } from './stopLosses.ts'

/** A car in the official order, with its gaps. Null: not known. */
export interface StandingWithGaps extends Omit<RunCar, 'crossings' | 'stops' | 'hasAllStops'> {
  readonly toLeader: Gap | null
  readonly toAhead: Gap | null
  readonly toAheadInClass: Gap | null
  readonly stops: CarStops | null
}

/** Returns the order of a run with its gaps. */
export function standingsOf(cars: readonly RunCar[]): StandingWithGaps[] {
  const [leader] = cars
  const losses = stopLossesOf(cars)
  const lastInClass = new Map<string, RunCar>()
  return cars.map((car, index) => {
    const { crossings, stops, hasAllStops, ...standing } = car
    const ahead = cars[index - 1]
    const aheadInClass = car.className === null ? undefined : lastInClass.get(car.className)
    if (car.className !== null) lastInClass.set(car.className, car)
    return {
      ...standing,
      toLeader: gapBehind(crossings, leader === car ? undefined : leader?.crossings),
      toAhead: gapBehind(crossings, ahead?.crossings),
      toAheadInClass: gapBehind(crossings, aheadInClass?.crossings),
      stops: carStopsOf({ stops, hasAllStops }, losses),
    }
  })
}

/**
 * Returns how far a car is behind another one, at its newest crossing. Only times at the line count. Null if no crossing
 * of the other car before it is known, or the car itself was ahead.
 */
export function gapBehind(
  own: readonly Crossing[],
  ahead: readonly Crossing[] | undefined,
): Gap | null {
  const newest = own.at(-1)
  if (!newest || !ahead) return null
  const passed = ahead.findLast(({ totalMs }) => totalMs <= newest.totalMs)
  if (!passed || passed.lap < newest.lap) return null
  return { laps: passed.lap - newest.lap, ms: newest.totalMs - passed.totalMs }
}
