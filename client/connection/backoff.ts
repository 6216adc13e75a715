const firstMs = 200
/** A car that leaves a tunnel is not to wait longer than this for its next attempt. */
const longestMs = 4000

/**
 * How long to wait before trying again, in ms, `attempt` counting from 0. Doubles from 200 ms to
 * 4 s, and is spread over half its length so that a thousand phones do not come back in the same instant.
 */
export function retryDelayMs(attempt: number, random: () => number): number {
  const delayMs = Math.min(firstMs * 2 ** attempt, longestMs)
  return delayMs * (0.5 + random() / 2)
}
