import type { Clock } from '#contract/shared/clock.ts'
import { systemClock } from '#server/clock.ts'

/** The system clock, except that one-shot timers fire only when `pass` advances them. */
export function heldClock(): Clock & { pass(ms: number): void } {
  const held = new Set<{ dueMs: number; act: () => void }>()
  let passedMs = 0
  return {
    ...systemClock,
    after(delayMs, act) {
      const timer = { dueMs: passedMs + delayMs, act }
      held.add(timer)
      return () => held.delete(timer)
    },
    pass(ms) {
      passedMs += ms
      for (const timer of held) {
        if (timer.dueMs > passedMs) continue
        held.delete(timer)
        timer.act()
      }
    },
  }
}

/** A held clock whose monotonic time, too, moves only by `pass`. */
export function steppedClock(): ReturnType<typeof heldClock> {
  const clock = heldClock()
  let passedMs = 0
  return {
    ...clock,
    monotonicMs: () => passedMs,
    pass(ms) {
      passedMs += ms
      clock.pass(ms)
    },
  }
}
