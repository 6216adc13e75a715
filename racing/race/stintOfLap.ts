import type { DrivenLap } from '../laps/drivenLap.ts'
import type { DrivenStint } from './stintClock.ts'

/**
 * Returns a time in the stint to which a lap belongs. Drivers change in the pits: a lap that leads there belongs to the
 * stint in which it started, an out lap to the one in which it ended.
 */
export function drivenAt({
  startedAt,
  timeMs,
  kind,
}: Pick<DrivenLap, 'startedAt' | 'timeMs' | 'kind'>): number {
  const part = kind === 'out' ? 1 : kind === 'in' || kind === 'pit' ? 0 : 0.5
  return startedAt + timeMs * part
}

/** Returns the stint in which a lap was driven. */
export function stintOfLap<Stint extends Pick<DrivenStint, 'from'>>(
  lap: Pick<DrivenLap, 'startedAt' | 'timeMs' | 'kind'>,
  stints: readonly Stint[],
): Stint | undefined {
  const at = drivenAt(lap)
  return stints.findLast(({ from }) => from <= at) ?? stints[0]
}
