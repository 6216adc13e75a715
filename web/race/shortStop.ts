import { downTo } from './stopFigure.ts'

/**
 * Formats a finished stop that was too short: its time in the whole seconds that had passed, as on the clock of the stop,
 * and what it lacks to its minimum. Every screen uses both, so that they add up to the minimum.
 */
export function shortStop(
  earlyMs: number,
  minimumMs: number,
): { readonly time: string; readonly missing: string } {
  // Calculated times may be a part of a millisecond longer.
  const missingMs = Math.ceil(Math.round(earlyMs) / 1000) * 1000
  return { time: downTo(minimumMs - missingMs), missing: downTo(missingMs) }
}
