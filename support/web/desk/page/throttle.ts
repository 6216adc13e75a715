/** Throttles calls: runs the first at once, then at most one per interval, always the newest. */
export class Throttle {
  readonly #intervalMs: number
  #pending: (() => void) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  run(act: () => void) {
    this.#pending = act
    if (this.#timer === undefined) this.#act()
  }

  /** Runs the pending call now. */
  flush() {
    const act = this.#pending
    this.#pending = null
    act?.()
  }

  stop() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#pending = null
  }

  #act() {
    this.#timer = undefined
    if (!this.#pending) return
    this.flush()
    this.#timer = setTimeout(() => this.#act(), this.#intervalMs)
  }
}
