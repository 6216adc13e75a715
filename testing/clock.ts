import type { Clock } from '#contract/shared/clock.ts'

/** The clock and timers of this process, or those of `vi.useFakeTimers` while it is active. */
export const testClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
  every(intervalMs, act) {
    const timer = setInterval(act, intervalMs)
    return () => clearInterval(timer)
  },
}
