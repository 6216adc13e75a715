/** The longest waits before the first, second, third and every later attempt. */
const ceilingsMs = [1000, 2000, 5000, 10_000] as const
const firstMs = 200

/**
 * How long to wait before trying again, `attempt` counting from 0. Doubles from 200 ms, and is
 * spread over half its length so that a thousand phones do not come back in the same instant.
 */
export function retryDelayMs(attempt: number, random = Math.random): number {
  const ceilingMs = ceilingsMs[attempt] ?? 10_000
  const delayMs = Math.min(firstMs * 2 ** attempt, ceilingMs)
  return delayMs * (0.5 + random() / 2)
}
