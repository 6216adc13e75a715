import type { Clock } from '#contract/shared/clock.ts'
import { systemClock } from '#server/clock.ts'

/** The clock and timers of this process, or the fake ones while `vi.useFakeTimers` is active. */
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

const dayMs = 24 * 60 * 60 * 1000

/** The system clock, set back to the start of the day: no test crosses the end of a rate limit's window. */
export function clockAtStartOfDay(): Clock {
  const aheadMs = systemClock.now() % dayMs
  return { ...systemClock, now: () => systemClock.now() - aheadMs }
}

/** The system clock, except that its time of day changes only in `pass`. */
export function stoppedClock(): Clock & { pass(ms: number): void } {
  let nowMs = Date.now()
  return {
    ...systemClock,
    now: () => nowMs,
    pass(ms) {
      nowMs += ms
    },
  }
}
