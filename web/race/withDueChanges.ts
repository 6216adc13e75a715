import type { Stint } from '#contract/carRaces.ts'
import type { EpochMs } from '#contract/ids.ts'
import { changedAt, sameChange } from '#racing/race/sameChange.ts'
import type { CarRace } from './shownCarRace.ts'

/** A driver change that the server may not have. */
interface Change {
  readonly kind: 'add' | 'remove'
  readonly sessionId: string
  readonly stintId: string
  readonly driverId: string | null
  readonly at: EpochMs
}

/**
 * Returns the race as it will be once the server has these changes. Changes that it contains already change nothing; the
 * same object is returned if none is left.
 */
export function withDueChanges(race: CarRace, due: readonly Change[]): CarRace {
  const [first] = race.stints
  if (!first) return race
  let stints: readonly Stint[] = race.stints
  /** Second entries of a stint, with the later start of both. */
  const merged = new Map<string, { into: string; from: EpochMs }>()
  const startAt = (stintId: string, from: EpochMs) => {
    stints = stints.map(stint => (stint.id === stintId ? { ...stint, from } : stint))
  }
  for (const { kind, sessionId, stintId, driverId, at } of due) {
    const isKnown = stints.some(({ id }) => id === stintId)
    if (kind === 'remove') {
      const entry = merged.get(stintId)
      if (entry && entry.from > at) startAt(entry.into, entry.from)
      else if ((entry && entry.into !== first.id) || isKnown)
        stints = stints.filter(({ id }) => id !== (entry?.into ?? stintId))
    }
    if (kind === 'add' && !isKnown) {
      const before = stints.findLast(stint => stint.from <= at) ?? first
      const from = Math.max(changedAt(at, race.visits), before.from, first.from + 1)
      const same = sameChange(stints, { driverId, from }, race.visits)
      if (!same)
        stints = inOrder(
          [...stints, { id: stintId, number: 0, sessionId, driverId, from, to: null }],
          race,
        )
      else {
        merged.set(stintId, { into: same.id, from: Math.max(from, same.from) })
        if (from < same.from) startAt(same.id, from)
      }
    }
  }
  return stints === race.stints ? race : { ...race, stints: inOrder(stints, race) }
}

/** Sorts stints by their start, and numbers and ends them again. */
function inOrder(stints: readonly Stint[], race: CarRace): Stint[] {
  /** When no phone was in the car any more. */
  const ends = race.stints.flatMap(({ to }, index) =>
    to !== null && to !== race.stints[index + 1]?.from ? to : [],
  )
  const sorted = stints.toSorted((a, b) => a.from - b.from)
  return sorted.map((stint, index) => {
    const next = sorted[index + 1]?.from ?? null
    const end = ends.find(at => at > stint.from && (next === null || at < next))
    return { ...stint, number: index + 1, to: end ?? next }
  })
}
