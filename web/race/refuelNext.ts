import type { RaceOfSession } from '#contract/stints.ts'

/** Returns whether the fuel entry follows a driver change: a car stands in the pits and has no fill of this stop. */
export function refuelsNext({
  car,
  pitVisits,
  fills,
}: Pick<RaceOfSession, 'car' | 'pitVisits' | 'fills'>): boolean {
  const visit = pitVisits.at(-1)
  if (!car || !visit || visit.endedAt !== null) return false
  return !fills.some(({ at, kind }) => kind !== 'start' && at >= visit.startedAt)
}
