import { type GhostCar, lapSpread, z95 } from './ghostStop.ts'
import type { StopLosses } from './stopLosses.ts'

/** A car after all stops that the rules still demand of it and of the others. */
export interface AfterOwedStops {
  /** Stops that it still has to make; null if not all of its stops were seen. */
  readonly owed: number | null
  /** Its first and its last place within the uncertainty; null if it is not known. */
  readonly places: { readonly best: number; readonly worst: number } | null
}

/** A time at the end of the leader's newest lap, with all owed stops, in milliseconds since the start. */
interface Interval {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Returns each car after its owed stops, in the order of `cars`: owed stops × the loss of its own stops under green, of
 * the field's where it has none. The ± of several stops grows with their root. A car whose stops were not all seen may owe
 * none or all of them, which widens the places of the cars around it.
 */
export function afterOwedStops(
  {
    standings: cars,
    stopLosses: { green },
  }: {
    readonly standings: readonly GhostCar[]
    readonly stopLosses: StopLosses
  },
  required: number,
): AfterOwedStops[] {
  const owed = cars.map(({ stops }) =>
    stops?.count == null ? null : Math.max(0, required - stops.count),
  )
  if (!green) return owed.map(count => ({ owed: count, places: null }))
  const leaderLaps = cars.reduce((most, { laps }) => Math.max(most, laps ?? 0), 0)
  const intervals = cars.map((car, index) => {
    const { laps, totalMs, usualMs, stops } = car
    if (laps === null && totalMs === 0) return never
    if (laps === null || totalMs === null || (usualMs === null && laps < leaderLaps)) return unknown
    const toGo = leaderLaps - laps
    const atMs = totalMs + toGo * (usualMs ?? 0)
    const count = owed[index] ?? null
    const lossMs = stops?.green?.medianMs ?? green.medianMs
    if (count === null) return { fromMs: atMs, toMs: atMs + required * lossMs }
    const plusMinusMs = Math.hypot(
      green.plusMinusMs * Math.sqrt(count),
      z95 * lapSpread * (usualMs ?? 0) * Math.sqrt(toGo),
    )
    const afterMs = atMs + count * lossMs
    return { fromMs: afterMs - plusMinusMs, toMs: afterMs + plusMinusMs }
  })
  return intervals.map((own, index) => {
    const count = owed[index] ?? null
    const isKnown = count !== null && Number.isFinite(own.fromMs) && Number.isFinite(own.toMs)
    return { owed: count, places: isKnown ? placesOf(own, intervals) : null }
  })
}

const unknown: Interval = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
const never: Interval = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

function placesOf(own: Interval, all: readonly Interval[]) {
  const ahead = all.filter(({ toMs }) => toMs < own.fromMs).length
  const perhaps = all.filter(other => other !== own && other.fromMs <= own.toMs).length
  return { best: 1 + ahead, worst: 1 + perhaps }
}
