import type { LapTable } from '#contract/laps.ts'
import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { fillOfStop, lacksLitres, stopsWithoutLitres } from '#racing/race/lacksLitres.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import type { EnteredFill } from './enteredFill.ts'
import { refuelsNext } from './refuelNext.ts'
import type { CarRace } from './shownCarRace.ts'
import { stintFigures } from './stintFigures.ts'

/** An entry of the form: a new fill, in an earlier stop if it names one, a correction, or the fuel at the start. */
export type Entry =
  | { readonly kind: 'new'; readonly id: string; readonly stop: Visit | null }
  | { readonly kind: 'fill'; readonly fill: EnteredFill }
  | { readonly kind: 'start'; readonly was: number | null }

/**
 * Returns the entry that is missing: the litres of a stop that is open or counts in the race, then those at the start, if
 * the fuel that is shown rests on an assumed full tank, then those of any other stop. Without lap timing stops are not
 * seen, so that litres can always be entered.
 */
export function firstEntry(
  race: CarRace,
  table: LapTable | undefined,
  nowMs: number,
): Entry | null {
  if (refuelsNext(race)) return newEntry()
  if (lacksLitres(race)) return newEntry(stopsWithoutLitres(race).at(-1))
  if (table && stintFigures(race, table, nowMs)?.fuel.isAssumed)
    return { kind: 'start', was: startLitres(race) }
  const { visits, fills, laps } = race
  const isOpen = visits.length > 0 && fillOfStop(visits, fills) === null
  return isOpen || crossedLaps(laps).length === 0 ? newEntry() : null
}

export function newEntry(stop: Visit | null = null): Entry {
  return { kind: 'new', id: crypto.randomUUID(), stop }
}

/** Returns the entered fuel at the start; null without an entry. */
export function startLitres({ fills }: Pick<CarRace, 'fills'>): number | null {
  return fills.find(({ kind }) => kind === 'start')?.litres ?? null
}
