import type { Clock } from '#contract/shared/clock.ts'

/** The process's own clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs).unref()
    return () => clearTimeout(timer)
  },
  every(intervalMs, act) {
    const timer = setInterval(act, intervalMs).unref()
    return () => clearInterval(timer)
  },
}
