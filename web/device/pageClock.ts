import type { Clock } from '#contract/shared/clock.ts'

export const pageClock: Clock = {
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
