const firstMs = 200
/** A car that leaves a tunnel must not wait longer than this for its next attempt. */
const longestMs = 4000

/**
 * Delay before a retry, in ms; `attempt` counts from 0. It doubles from 200 ms to 4 s, with jitter over half
 * its length, so that a thousand phones do not reconnect at the same moment.
 */
export function retryDelayMs(attempt: number, random: () => number): number {
  const delayMs = Math.min(firstMs * 2 ** attempt, longestMs)
  return delayMs * (0.5 + random() / 2)
}
