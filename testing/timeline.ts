import type { Clock } from '#contract/shared/clock.ts'

interface Timer {
  readonly atMs: number
  readonly act: () => void
}

/** A clock whose timers run when it is advanced, in order, without waiting. */
export class Timeline implements Clock {
  /** The next one last. */
  #timers: Timer[] = []
  #nowMs: number

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
    const timer = { atMs: this.#nowMs + Math.max(0.01, delayMs), act }
    this.#timers.splice(this.#timers.findLastIndex(({ atMs }) => atMs > timer.atMs) + 1, 0, timer)
    return () => {
      this.#timers = this.#timers.filter(each => each !== timer)
    }
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
    for (let next = this.#timers.at(-1); next; next = this.#timers.at(-1)) {
      if (next.atMs > untilMs) break
      this.#timers.pop()
      this.#nowMs = next.atMs
      next.act()
    }
    this.#nowMs = untilMs
  }
}
