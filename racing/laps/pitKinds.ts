import type { LapKind } from '#contract/shared/lapKinds.ts'
import type { PitVisit } from './pitTracker.ts'

interface TimedLap {
  readonly startedAtMs: number
  readonly timeMs: number
  readonly kind: LapKind
  readonly endsAtLine?: true | undefined
}

/** Returns the laps with the kinds that follow from visits to the pits; both are in order of time. */
export function withPitKinds<T extends TimedLap>(
  laps: readonly T[],
  visits: readonly PitVisit[],
): T[] {
  return laps.map(lap => {
    const { startedAtMs, timeMs, kind } = lap
    if (kind !== 'full' && kind !== 'pit') return lap
    const endMs = startedAtMs + timeMs
    const visit = visits.findLast(each => each.startedAtMs < endMs)
    const visitEndMs = visit?.endedAtMs ?? Number.POSITIVE_INFINITY
    if (!visit || visitEndMs <= startedAtMs) return lap
    if (visitEndMs > endMs) return { ...lap, kind: 'in', endsAtLine: true }
    return { ...lap, kind: visit.startedAtMs < startedAtMs ? 'out' : 'pit' }
  })
}
