/** Does the newest of what is wanted, at once or so much later, and never more often. */
export class Paced {
  readonly #everyMs: number
  #wanted: (() => void) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  do(act: () => void) {
    this.#wanted = act
    if (this.#timer === undefined) this.#act()
  }

  /** Does now what waits. */
  flush() {
    const act = this.#wanted
    this.#wanted = null
    act?.()
  }

  stop() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#wanted = null
  }

  #act() {
    this.#timer = undefined
    if (!this.#wanted) return
    this.flush()
    this.#timer = setTimeout(() => this.#act(), this.#everyMs)
  }
}
