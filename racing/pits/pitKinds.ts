import type { LapKind } from '#contract/shared/lapKinds.ts'
import type { PitVisit } from './pitTracker.ts'

interface TimedLap {
  readonly startedAtMs: number
  readonly timeMs: number
  readonly kind: LapKind
}

/** Returns the laps with the kinds that follow from visits to the pits; both are in order of time. */
export function withPitKinds<T extends TimedLap>(
  laps: readonly T[],
  visits: readonly PitVisit[],
): T[] {
  let first = 0
  return laps.map(lap => {
    if (lap.kind !== 'full' && lap.kind !== 'pit') return lap
    while ((visits[first]?.endedAtMs ?? Number.POSITIVE_INFINITY) <= lap.startedAtMs) first += 1
    const kind = kindDuring(lap, visits.slice(first))
    return kind ? { ...lap, kind } : lap
  })
}

/** The kind of a lap with a visit; null without one. `visits` are those that end after its start. */
function kindDuring({ startedAtMs, timeMs }: TimedLap, visits: readonly PitVisit[]) {
  const endMs = startedAtMs + timeMs
  const during = visits.filter(visit => visit.startedAtMs < endMs)
  const last = during.at(-1)
  if (!last) return null
  if (last.endedAtMs === null || last.endedAtMs > endMs) return 'in'
  return last.startedAtMs < startedAtMs ? 'out' : 'pit'
}
