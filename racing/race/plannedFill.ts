import type { CarRace } from './carRace.ts'
import { carStrategy } from './carStrategy.ts'
import { fuelOf } from './fuel.ts'
import { lastFillL } from './lapsToPit.ts'
import { raceLaps } from './raceLaps.ts'
import { atPitEntry, recentPlan } from './recentPlan.ts'

/** Litres that the current stop, or the last one, needs. */
export interface PlannedFill {
  readonly litres: number
  /** Half the 95 % interval of what goes in; null if the plan wants less than a full tank. */
  readonly plusMinusL: number | null
  readonly kind: 'full' | 'part'
}

/**
 * Returns what the plan puts into the tank at a stop: what it has lost, and no more than the rest of the race needs.
 * It follows from what was known at the pit entry, so that it stays the same in the stop. Null if the level, the burn
 * or the size of the tank is not known, and if the tank is full.
 */
export function plannedFill(carRace: CarRace, nowMs: number): PlannedFill | null {
  const before = atPitEntry(carRace)
  const atMs = carRace.visits.at(-1)?.startedAt ?? nowMs
  const { car } = before
  const strategy = carStrategy(before, atMs)
  const fuel = strategy.fuel ?? fuelOf(before, atMs)
  if (!car || car.tankL === null || !fuel) return null
  const lostL = Math.round(car.tankL - fuel.leftL)
  if (lostL <= 1) return null
  const full = { litres: lostL, plusMinusL: Math.ceil(fuel.plusMinusL), kind: 'full' } as const
  const rest = lapsAfterStop(before, atMs)
  if (rest === null) return full
  const savedLaps = strategy.pitReason === 'fuel' ? rest.savedLaps : 0
  const { burn, leftL } = fuel
  const neededL = lastFillL(leftL, { laps: rest.laps, savedLaps }, { burn, reserveL: car.reserveL })
  return neededL >= lostL ? full : { litres: neededL, plusMinusL: null, kind: 'part' }
}

/**
 * Returns the laps from a stop at this time to the end of the race, and those that the last stop saves; null without
 * a plan.
 */
function lapsAfterStop(carRace: CarRace, atMs: number) {
  const { race } = carRace
  const { request, plan } = recentPlan(carRace, atMs) ?? {}
  if (!request || !plan || request.lapMs === null || race?.startedAt == null) return null
  if (race.length?.in === 'laps')
    return { laps: Math.max(0, race.length.laps - raceLaps(carRace)), savedLaps: 0 }
  // This stop is the next one of the plan.
  const stops = Math.max(1, plan.stints.filter(({ state }) => state === 'next').length)
  const { raceMs, nowMs, stopMs, lapMs } = request
  const lapsIn = (ms: number) => Math.max(0, Math.ceil(ms / lapMs))
  const laps = lapsIn(raceMs - nowMs - stops * stopMs)
  return { laps, savedLaps: stops === 1 ? lapsIn(raceMs - nowMs) - laps : 0 }
}

/** A smaller share of the planned litres does not fill the tank, however uncertain the level is. */
const leastShare = 0.8

/** Returns whether these litres fill the tank as planned: they are at least what likely goes in. */
export function kindOfFill(planned: PlannedFill | null, litres: number): PlannedFill['kind'] {
  if (planned?.kind !== 'full') return 'part'
  const leastL = planned.litres - (planned.plusMinusL ?? 0)
  return litres >= Math.max(leastL, planned.litres * leastShare) ? 'full' : 'part'
}
