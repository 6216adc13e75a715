import type { DrivenLap } from '../laps/drivenLap.ts'
import type { DrivenStint } from './stintClock.ts'

/**
 * Returns the stint in which a lap was driven. Drivers change in the pits: a lap that leads there belongs to the stint
 * in which it started, an out lap to the one in which it ended.
 */
export function stintOfLap<Stint extends Pick<DrivenStint, 'from'>>(
  { startedAt, timeMs, kind }: Pick<DrivenLap, 'startedAt' | 'timeMs' | 'kind'>,
  stints: readonly Stint[],
): Stint | undefined {
  const part = kind === 'out' ? 1 : kind === 'in' || kind === 'pit' ? 0 : 0.5
  const at = startedAt + timeMs * part
  return stints.findLast(({ from }) => from <= at) ?? stints[0]
}
