import type { Clock } from '#contract/shared/clock.ts'

interface Timer {
  readonly atMs: number
  readonly order: number
  readonly act: () => void
}

/** A clock whose timers run when it is advanced, in order, without waiting. */
export class Timeline implements Clock {
  readonly #timers = new Set<Timer>()
  #nowMs: number
  #order = 0

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  now(): number {
    return Math.floor(this.#nowMs)
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0.01, delayMs), order: this.#order++, act }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  every(intervalMs: number, act: () => void): () => void {
    let cancel = () => {}
    const again = () => {
      cancel = this.after(intervalMs, again)
      act()
    }
    cancel = this.after(intervalMs, again)
    return () => cancel()
  }

  /** Runs all timers that are due until then. */
  advance(byMs: number) {
    const untilMs = this.#nowMs + byMs
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#timers.delete(next)
      this.#nowMs = next.atMs
      next.act()
    }
    this.#nowMs = untilMs
  }

  #next(untilMs: number): Timer | null {
    let first: Timer | null = null
    for (const timer of this.#timers)
      if (
        timer.atMs <= untilMs &&
        (!first ||
          timer.atMs < first.atMs ||
          (timer.atMs === first.atMs && timer.order < first.order))
      )
        first = timer
    return first
  }
}
