import type { Visit } from '#racing/race/stopClock.ts'

/** Returns when the car left the pits the last time; null before, and while its race is not known. */
export function exitedAt(
  race: { readonly visits: readonly Pick<Visit, 'endedAt'>[] } | undefined,
): number | null {
  return race?.visits.findLast(({ endedAt }) => endedAt !== null)?.endedAt ?? null
}
