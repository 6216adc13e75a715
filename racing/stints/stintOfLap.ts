/** The lap's part that a stint is found by. */
interface DrivenLap {
  readonly startedAt: number
  readonly timeMs: number
  readonly kind: 'out' | 'full' | 'in' | 'pit' | 'incomplete'
}

/** A time in which one person drives; the last one has no end while it is driven. */
interface DrivenStint {
  readonly from: number
  readonly to: number | null
}

/**
 * Returns the stint in which a lap was driven. Drivers change in the pits: a lap that leads there belongs to the stint
 * in which it started, an out lap to the one in which it ended.
 */
export function stintOfLap<Stint extends DrivenStint>(
  { startedAt, timeMs, kind }: DrivenLap,
  stints: readonly Stint[],
): Stint | undefined {
  const part = kind === 'out' ? 1 : kind === 'in' || kind === 'pit' ? 0 : 0.5
  const at = startedAt + timeMs * part
  return stints.findLast(({ from }) => from <= at) ?? stints[0]
}

/** Returns how long each stint lasted until a time. Stints that start later last 0 ms. */
export function drivenMs({ from, to }: DrivenStint, now: number): number {
  return Math.max(0, Math.min(to ?? now, now) - from)
}
