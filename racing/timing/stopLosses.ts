import { median } from '../race/pace.ts'
import type { SeenStop } from './carHistory.ts'
import type { PaceFlag } from './paceFlag.ts'
import type { RunCar } from './run.ts'

/** The cost of the comparable stops of a car, or of a field, under one flag. */
export interface StopTime {
  readonly count: number
  readonly medianMs: number
}

/** The stops of a car, as the times at the line show them. Null: not known. */
export interface CarStops {
  /** Stops since the start of the run; null if some may not have been seen. */
  readonly count: number | null
  readonly green: StopTime | null
  readonly yellow: StopTime | null
}

export interface StopLoss extends StopTime {
  /** 95 % of the stops of a car are within this time of its median; of the field's while no car has made two. */
  readonly plusMinusMs: number
  /** 95 % of the stops of all cars are within this time of the median. */
  readonly ofAllPlusMinusMs: number
  /** Pace of the field during these stops, as a share of its usual laps. */
  readonly pace: number
}

/** Null: fewer than `leastStops` comparable stops were seen. */
export type StopLosses = Readonly<Record<PaceFlag, StopLoss | null>>

/** With fewer comparable stops their cost is not known. */
export const leastStops = 3

/** Counts and compares the stops of a car. Only those that are comparable with the stops of the field have a cost. */
export function carStopsOf(
  { stops, hasAllStops }: Pick<RunCar, 'stops' | 'hasAllStops'>,
  field: StopLosses,
): CarStops {
  const under = (flag: PaceFlag): StopTime | null => {
    const losses = stops.filter(stop => stop.flag === flag).map(({ lossMs }) => lossMs)
    const comparable = losses.filter(ms => isComparable(ms, field[flag]?.medianMs ?? ms))
    if (comparable.length === 0) return null
    return { count: comparable.length, medianMs: Math.round(median(comparable)) }
  }
  return {
    count: hasAllStops ? stops.length : null,
    green: under('green'),
    yellow: under('yellow'),
  }
}

/** Returns the cost of the comparable stops of all cars. */
export function stopLossesOf(cars: readonly Pick<RunCar, 'stops'>[]): StopLosses {
  const under = (flag: PaceFlag) =>
    stopLoss(cars.map(({ stops }) => stops.filter(stop => stop.flag === flag)))
  return { green: under('green'), yellow: under('yellow') }
}

/** `stops` are those of each car. */
function stopLoss(stops: readonly (readonly SeenStop[])[]): StopLoss | null {
  const all = stops.flat()
  const usualMs = median(all.map(({ lossMs }) => lossMs))
  const comparable = all.filter(({ lossMs }) => isComparable(lossMs, usualMs))
  if (comparable.length < leastStops) return null
  const medianMs = median(comparable.map(({ lossMs }) => lossMs))
  const losses = stops.map(each =>
    each.map(({ lossMs }) => lossMs).filter(ms => isComparable(ms, usualMs)),
  )
  const own = losses.filter(({ length }) => length > 1).flatMap(deviations)
  const ofAll = deviations(losses.flat())
  return {
    count: comparable.length,
    medianMs: Math.round(medianMs),
    plusMinusMs: Math.round(quantile(own.length >= 2 * leastStops ? own : ofAll, 0.95)),
    ofAllPlusMinusMs: Math.round(quantile(ofAll, 0.95)),
    pace: median(comparable.map(({ pace }) => pace)),
  }
}

/** False for a repair, a penalty or a slow lap. */
export function isComparable(lossMs: number, usualMs: number): boolean {
  return lossMs >= usualMs / 2 && lossMs <= usualMs * 2
}

/** Returns the deviations from the median, corrected because the median is that of the same few values. */
function deviations(values: readonly number[]): number[] {
  const middle = median(values)
  const factor = Math.sqrt(values.length / (values.length - 1))
  return values.map(value => Math.abs(value - middle) * factor)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0
}
