import type { Run, StoredCarRace } from '#contract/carRaces.ts'
import type { Lap } from '#contract/laps.ts'

interface Own {
  readonly sessionId: string
  /** In order of time. */
  readonly laps: readonly Pick<Lap, 'startedAt'>[]
  readonly isOffline: boolean
}

/**
 * Returns the runs of the car as its driver's phone knows them. It is taken as the phone in the car while none is: before
 * it has moved, and until the server knows that it did. Without a network it takes over from another phone with the
 * first lap after the last known position of that one.
 */
export function drivenRuns(
  { runs, phones }: Pick<StoredCarRace, 'runs' | 'phones'>,
  { sessionId, laps, isOffline }: Own,
): Run[] {
  const last = runs.at(-1)
  const own = (from: number): Run => ({ sessionId, from, until: null, decidedBy: 'moved' })
  if (last?.until !== null) {
    const startedAt = phones.find(phone => phone.sessionId === sessionId)?.startedAt ?? 0
    return [...runs, own(Math.max(last?.until ?? 0, startedAt))]
  }
  if (last.sessionId === sessionId || !isOffline) return runs
  const other = phones.find(phone => phone.sessionId === last.sessionId)
  const sinceMs = Math.max(last.from, other?.lastFixAt ?? 0)
  const lap = laps.find(({ startedAt }) => startedAt > sinceMs)
  if (!lap) return runs
  return [...runs.slice(0, -1), { ...last, until: lap.startedAt }, own(lap.startedAt)]
}
