import type { Fill } from '#racing/fuel/fuel.ts'

interface Visit {
  readonly startedAt: number
  readonly endedAt: number | null
  readonly leftAt: number | null
}

/** A fill that is entered later than this after the stop is not taken for one of that stop. */
const afterStopMs = 15 * 60_000

/**
 * Returns when a fill that is entered now happened: in the last visit to the pits, if it has none yet and was not long
 * ago, so that laps since the stop count as driven with the new fuel. Otherwise now.
 */
export function fillTime(
  visits: readonly Visit[],
  fills: readonly Pick<Fill, 'at'>[],
  nowMs: number,
): number {
  const visit = visits.at(-1)
  if (!visit) return nowMs
  const endMs = visit.leftAt ?? visit.endedAt ?? nowMs
  const hasFill = fills.some(({ at }) => at >= visit.startedAt)
  return hasFill || nowMs - endMs > afterStopMs ? nowMs : Math.min(nowMs, endMs)
}
